import Dispatch
import Synchronization

/// A member whose bytes come from asynchronous code: a task reads ahead a few pieces, and the archive's thread waits for them.
package final class AsyncMemberSource: ZipMemberSource {
    /// The next piece; nil ends the member.
    package typealias Pieces = @Sendable () async throws -> [UInt8]?

    private enum SourceEvent {
        case piece([UInt8])
        case end
        case failure(any Error)
    }

    private struct State {
        var events: [SourceEvent] = []
        /// The piece being read.
        var rest: ArraySlice<UInt8> = []
        /// The task that reads ahead, waiting for a free place.
        var waiting: CheckedContinuation<Void, Never>?
        var task: Task<Void, Never>?
        var isClosed = false
        var isCancelled = false
    }

    private let prefetch: Int
    private let start: @Sendable () async throws -> Pieces
    private let arrived = DispatchSemaphore(value: 0)
    private let state = Mutex(State())

    /// - Parameters:
    ///   - prefetch: pieces held at once, besides the one being read.
    ///   - start: called when the archive reaches this member.
    package init(prefetch: Int = 4, start: @escaping @Sendable () async throws -> Pieces) {
        self.prefetch = max(1, prefetch)
        self.start = start
    }

    package func open() throws {
        if state.withLock({ $0.isCancelled }) { throw CancellationError() }
        // Unstructured, because the archive's thread belongs to no task; `close` and `cancel` end it.
        let task = Task { await readAhead() }
        let isCancelled = state.withLock { state in
            state.task = task
            return state.isCancelled
        }
        if isCancelled { task.cancel() }
    }

    package func read(max: Int) throws -> [UInt8] {
        while true {
            let ready: [UInt8]? = state.withLock { state in
                guard !state.rest.isEmpty else { return nil }
                let bytes = state.rest.prefix(max)
                state.rest = state.rest.dropFirst(bytes.count)
                return Array(bytes)
            }
            if let ready { return ready }
            if let ending = try nextPiece() { return ending }
        }
    }

    package func close() {
        let (task, waiting) = state.withLock { state in
            defer { (state.task, state.waiting) = (nil, nil) }
            state.isClosed = true
            state.events = []
            state.rest = []
            return (state.task, state.waiting)
        }
        task?.cancel()
        waiting?.resume()
    }

    /// Makes a waiting `read` throw; callable from any thread.
    package func cancel() {
        let task = state.withLock { state in
            state.isCancelled = true
            return state.task
        }
        task?.cancel()
        arrived.signal()
    }

    /// Waits for the next piece. Returns nil when there is one, and the empty result at the member's end.
    private func nextPiece() throws -> [UInt8]? {
        arrived.wait()
        let (failure, isEnd, waiting): ((any Error)?, Bool, CheckedContinuation<Void, Never>?) = state.withLock { state in
            if state.isCancelled { return (CancellationError(), false, nil) }
            guard let event = state.events.first else { return (nil, true, nil) }
            switch event {
            case .piece(let bytes):
                state.events.removeFirst()
                state.rest = bytes[...]
                defer { state.waiting = nil }
                return (nil, false, state.waiting)
            // The end stays: a further read gets it again.
            case .end: return (nil, true, nil)
            case .failure(let error): return (error, false, nil)
            }
        }
        waiting?.resume()
        if failure != nil || isEnd { arrived.signal() }
        if let failure { throw failure }
        return isEnd ? [] : nil
    }

    private func readAhead() async {
        do {
            let next = try await start()
            while let piece = try await next() {
                guard !piece.isEmpty else { continue }
                guard await hold(piece) else { return }
            }
            deliver(.end)
        } catch {
            deliver(.failure(error))
        }
    }

    /// Stores a piece and returns when another one fits; false when the member is closed or cancelled.
    private func hold(_ piece: [UInt8]) async -> Bool {
        deliver(.piece(piece))
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let goesOn = state.withLock { state in
                    guard state.events.count >= prefetch, !state.isClosed, !state.isCancelled else { return true }
                    state.waiting = continuation
                    return false
                }
                if goesOn { continuation.resume() }
            }
        } onCancel: {
            let waiting = state.withLock { state in
                defer { state.waiting = nil }
                return state.waiting
            }
            waiting?.resume()
        }
        return state.withLock { !$0.isClosed && !$0.isCancelled }
    }

    private func deliver(_ event: SourceEvent) {
        let isWanted = state.withLock { state in
            guard !state.isClosed else { return false }
            state.events.append(event)
            return true
        }
        if isWanted { arrived.signal() }
    }
}
