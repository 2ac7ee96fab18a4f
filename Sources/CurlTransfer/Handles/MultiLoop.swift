import BlockingCalls
import CLibcurl
import Synchronization

/// The thread around `curl_multi_poll` (decision D5). All libcurl calls of a transfer run on it.
final class MultiLoop: Sendable {
    private enum Command {
        case start(Transfer)
        case resume(Transfer)
        case remove(Transfer)
    }

    private struct State {
        var commands: [Command] = []
        /// nil once the thread has ended.
        var multi: MultiHandle?
        var closesAt: ContinuousClock.Instant?
        var closers: [CheckedContinuation<Void, Never>] = []
        var running = 0
    }

    private let configuration: TransferConfiguration
    private let state: Mutex<State>

    /// - Throws: `protocol` when libcurl or the system is out of resources.
    init(_ configuration: TransferConfiguration, name: String) throws(TransferError) {
        guard let multi = MultiHandle(maximumConnections: configuration.maximumConnections) else {
            throw .protocol(Int32(bitPattern: CURLE_FAILED_INIT.rawValue))
        }
        self.configuration = configuration
        state = Mutex(State(multi: multi))
        guard NamedThread.start(name, { [self] in run(multi) }) else {
            throw .protocol(Int32(bitPattern: CURLE_FAILED_INIT.rawValue))
        }
    }

    // MARK: Called from any thread

    func start(_ transfer: Transfer) {
        let isClosed = state.withLock { state in
            guard let multi = state.multi, state.closesAt == nil else { return true }
            state.commands.append(.start(transfer))
            multi.wakeUp()
            return false
        }
        if isClosed { transfer.finish(TransferEnd(error: .cancelled, code: 0)) }
    }

    func resume(_ transfer: Transfer) { post(.resume(transfer)) }
    func remove(_ transfer: Transfer) { post(.remove(transfer)) }

    private func post(_ command: Command) {
        state.withLock { state in
            guard let multi = state.multi else { return }
            state.commands.append(command)
            multi.wakeUp()
        }
    }

    /// Handles in the multi handle.
    var runningCount: Int { state.withLock { $0.running } }

    /// Refuses new transfers; running ones may finish until the deadline.
    func close(by deadline: ContinuousClock.Instant) {
        state.withLock { state in
            state.closesAt = min(state.closesAt ?? deadline, deadline)
            state.multi?.wakeUp()
        }
    }

    func isOver() async {
        await withCheckedContinuation { continuation in
            let isOver = state.withLock { state in
                if state.multi != nil { state.closers.append(continuation) }
                return state.multi == nil
            }
            if isOver { continuation.resume() }
        }
    }

    // MARK: The thread

    private func run(_ multi: MultiHandle) {
        var handles = RunningHandles()
        while true {
            let (commands, closesAt) = state.withLock { state in
                defer { state.commands = [] }
                return (state.commands, state.closesAt)
            }
            for command in commands { obey(command, multi, &handles) }
            multi.perform()
            while let (pointer, result) = multi.nextDone() {
                guard let handle = handles.remove(pointer) else { continue }
                let code = handle.responseCode
                multi.remove(handle)
                note(handles)
                handle.transfer.finish(result: result, code: code)
            }
            if let closesAt, handles.isEmpty || closesAt <= .now { break }
            multi.poll(
                milliseconds: min(1000, closesAt.map { Int32(clamping: (ContinuousClock.now.duration(to: $0)).milliseconds) } ?? 1000))
        }
        end(multi, &handles)
    }

    private func obey(_ command: Command, _ multi: MultiHandle, _ handles: inout RunningHandles) {
        switch command {
        case .start(let transfer):
            guard transfer.state.withLock({ $0.end == nil }) else { return }
            do throws(TransferError) {
                let handle = try EasyHandle(transfer, configuration)
                guard multi.add(handle) else { throw .protocol(Int32(bitPattern: CURLE_FAILED_INIT.rawValue)) }
                handles.insert(handle)
                note(handles)
            } catch {
                transfer.finish(TransferEnd(error: error, code: 0))
            }
        case .resume(let transfer):
            handles.handle(of: transfer)?.applyPauses()
        case .remove(let transfer):
            guard let handle = handles.handle(of: transfer) else { return }
            _ = handles.remove(handle.pointer)
            multi.remove(handle)
            note(handles)
        }
    }

    private func note(_ handles: RunningHandles) { state.withLock { $0.running = handles.count } }

    private func end(_ multi: MultiHandle, _ handles: inout RunningHandles) {
        let (commands, closers) = state.withLock { state in
            defer { (state.commands, state.closers, state.multi, state.running) = ([], [], nil, 0) }
            return (state.commands, state.closers)
        }
        for handle in handles.removeAll() {
            multi.remove(handle)
            handle.transfer.finish(TransferEnd(error: .cancelled, code: 0))
        }
        for case .start(let transfer) in commands { transfer.finish(TransferEnd(error: .cancelled, code: 0)) }
        for closer in closers { closer.resume() }
    }
}

/// The handles in the multi handle, by address and by transfer.
struct RunningHandles {
    private var byPointer: [UnsafeMutableRawPointer: EasyHandle] = [:]
    private var byTransfer: [ObjectIdentifier: EasyHandle] = [:]

    var isEmpty: Bool { byPointer.isEmpty }
    var count: Int { byPointer.count }

    mutating func insert(_ handle: EasyHandle) {
        byPointer[handle.pointer] = handle
        byTransfer[ObjectIdentifier(handle.transfer)] = handle
    }

    func handle(of transfer: Transfer) -> EasyHandle? { byTransfer[ObjectIdentifier(transfer)] }

    mutating func remove(_ pointer: UnsafeMutableRawPointer) -> EasyHandle? {
        guard let handle = byPointer.removeValue(forKey: pointer) else { return nil }
        byTransfer[ObjectIdentifier(handle.transfer)] = nil
        return handle
    }

    mutating func removeAll() -> [EasyHandle] {
        defer { (byPointer, byTransfer) = ([:], [:]) }
        return Array(byPointer.values)
    }
}
