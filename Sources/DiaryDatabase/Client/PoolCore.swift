import Logging
import Synchronization

/// The pool's state, and the only place where requests meet connections. Nothing waits while holding its lock.
final class PoolCore: Sendable {
    enum Next {
        case request(DatabaseRequest)
        /// Registered as idle: a wake-up announces the next request.
        case idle
        case stop
    }

    private struct State {
        var queue = RequestQueue()
        /// Workers whose connection is free, the last used on top.
        var idle: [Int] = []
        /// Per worker: handed over, not yet looked at.
        var assigned: [DatabaseRequest?]
        /// Per worker: taken up.
        var current: [DatabaseRequest?]
        var isConnected: [Bool]
        /// Set while no connection is up.
        var downSince: ContinuousClock.Instant?
        var closeDeadline: ContinuousClock.Instant?
        var threads = 0
        var closers: [CheckedContinuation<Void, Never>] = []
        var keeperWakesAt: ContinuousClock.Instant?

        mutating func pushIdle(_ worker: Int) {
            if !idle.contains(worker) { idle.append(worker) }
        }
    }

    let configuration: ConnectionPool.Configuration
    let target: ConnectTarget
    let logger: Logger
    let wakeups: [Wakeup]
    private let keeper = Wakeup()
    private let state: Mutex<State>

    init(_ configuration: ConnectionPool.Configuration, target: ConnectTarget, logger: Logger) {
        self.configuration = configuration
        self.target = target
        self.logger = logger
        let size = configuration.size
        wakeups = (0..<size).map { _ in Wakeup() }
        state = Mutex(
            State(
                assigned: Array(repeating: nil, count: size), current: Array(repeating: nil, count: size),
                isConnected: Array(repeating: false, count: size), downSince: .now))
    }

    func start() {
        state.withLock { $0.threads = wakeups.count + 1 }
        for index in wakeups.indices {
            if !NamedThread.start("pg-\(index)", { PoolWorker(index, of: self).main() }) { threadEnded() }
        }
        if !NamedThread.start("pg-keeper", { self.keep() }) { threadEnded() }
    }

    var status: ConnectionPool.Status {
        state.withLock {
            ConnectionPool.Status(
                connected: $0.isConnected.count { $0 }, idle: $0.idle.count, busy: $0.current.count { $0 != nil }, waiting: $0.queue.count,
                isClosing: $0.closeDeadline != nil)
        }
    }

    // MARK: Callers

    func submit(_ request: DatabaseRequest) {
        enum Action {
            case wake(Wakeup)
            case refuse(DatabaseError.Kind)
            case none
        }
        let action: Action = state.withLock { state in
            if state.closeDeadline != nil { return .refuse(.closed) }
            if let worker = state.idle.popLast() {
                state.assigned[worker] = request
                return .wake(wakeups[worker])
            }
            // A short absence is waited out; after a checkout deadline without any connection nobody waits in vain.
            if let downSince = state.downSince, downSince.advanced(by: configuration.checkoutDeadline) < .now {
                return .refuse(.unavailable)
            }
            state.queue.append(request)
            return wakesKeeper(&state, by: request.deadline) ? .wake(keeper) : .none
        }
        switch action {
        case .wake(let wakeup): wakeup.signal()
        case .refuse(let kind): request.finish(.failure(DatabaseError(kind)))
        case .none: break
        }
    }

    private func wakesKeeper(_ state: inout State, by deadline: ContinuousClock.Instant) -> Bool {
        if let planned = state.keeperWakesAt, planned <= deadline { return false }
        state.keeperWakesAt = deadline
        return true
    }

    // MARK: Workers

    /// What a connected worker does next. Also ends its previous request.
    func next(for worker: Int) -> Next {
        state.withLock { state in
            state.current[worker] = nil
            if let request = state.assigned[worker] ?? state.queue.popFirst() {
                state.assigned[worker] = nil
                state.current[worker] = request
                return .request(request)
            }
            if state.closeDeadline != nil { return .stop }
            state.pushIdle(worker)
            return .idle
        }
    }

    /// The worker's connection is gone or worn out. A request that it has not begun keeps its turn.
    func withdraw(_ worker: Int, unbegun: DatabaseRequest? = nil) {
        let wakeup: Wakeup? = state.withLock { state in
            state.current[worker] = nil
            state.idle.removeAll { $0 == worker }
            let request = unbegun ?? state.assigned[worker]
            state.assigned[worker] = nil
            state.isConnected[worker] = false
            if !state.isConnected.contains(true) { state.downSince = state.downSince ?? .now }
            guard let request else { return nil }
            if let other = state.idle.popLast() {
                state.assigned[other] = request
                return wakeups[other]
            }
            state.queue.prepend(request)
            return wakesKeeper(&state, by: request.deadline) ? keeper : nil
        }
        wakeup?.signal()
    }

    /// The server is back for one worker, so the others need not sit out their back-off.
    func connected(_ worker: Int) {
        let sleeping: [Wakeup] = state.withLock { state in
            let wasDown = state.downSince != nil
            state.downSince = nil
            state.isConnected[worker] = true
            return wasDown ? wakeups.indices.filter { !state.isConnected[$0] }.map { wakeups[$0] } : []
        }
        sleeping.forEach { $0.signal() }
    }

    var isDown: Bool { state.withLock { $0.downSince != nil } }

    /// Closing, and no request is left that a new connection could serve.
    var isStopped: Bool {
        state.withLock { state in
            guard let deadline = state.closeDeadline else { return false }
            return state.queue.isEmpty || deadline <= .now
        }
    }

    // MARK: Deadlines

    /// The keeper's thread: fails what waited too long.
    private func keep() {
        while true {
            let (expired, wake, isDone): ([(DatabaseRequest, DatabaseError.Kind)], ContinuousClock.Instant?, Bool) = state.withLock {
                state in
                let now = ContinuousClock.now
                var expired: [(DatabaseRequest, DatabaseError.Kind)] = []
                let isForced = state.closeDeadline.map { $0 <= now } ?? false
                while let first = state.queue.first, first.deadline <= now || isForced || first.isAbandoned {
                    _ = state.queue.popFirst()
                    expired.append((first, isForced ? .closed : state.downSince == nil ? .timeout : .unavailable))
                }
                if isForced {
                    for request in state.assigned + state.current { if let request { expired.append((request, .closed)) } }
                }
                let wake = [state.queue.first?.deadline, isForced ? nil : state.closeDeadline].compactMap { $0 }.min()
                state.keeperWakesAt = wake
                return (expired, wake, state.closeDeadline != nil && state.threads == 1)
            }
            for (request, kind) in expired { request.abandon(kind) }
            if isDone { break }
            _ = SocketWait.wait(socket: -1, wakeup: keeper, until: wake)
        }
        threadEnded()
    }

    // MARK: Closing

    func close(deadline: ContinuousClock.Instant) {
        state.withLock { $0.closeDeadline = min($0.closeDeadline ?? deadline, deadline) }
        wakeups.forEach { $0.signal() }
        keeper.signal()
    }

    func closeAndWait(until deadline: ContinuousClock.Instant) async {
        close(deadline: deadline)
        await withCheckedContinuation { continuation in
            let isOver = state.withLock { state in
                if state.threads > 0 { state.closers.append(continuation) }
                return state.threads == 0
            }
            if isOver { continuation.resume() }
        }
    }

    func threadEnded() {
        let closers: [CheckedContinuation<Void, Never>] = state.withLock { state in
            state.threads -= 1
            guard state.threads == 0 else { return [] }
            defer { state.closers = [] }
            return state.closers
        }
        keeper.signal()
        closers.forEach { $0.resume() }
    }
}
