import Logging
import Synchronization

/// The pool's state, and the only place where requests meet lanes. Nothing waits while holding its lock, and no lane's lock is taken under it.
final class PoolCore: Sendable {
    enum Next {
        case request(DatabaseRequest)
        case idle
        case stop
    }

    /// Why a lane is without its connection.
    enum Loss {
        /// Thrown away or worn out: a new one is wanted at once.
        case done
        /// The server ended it or cannot be reached: a new one is wanted after a pause.
        case lost
    }

    struct Vacancy {
        let lane: Int
        let loss: Loss
    }

    struct State {
        var queue = RequestQueue()
        /// Lanes that are free, the last used on top.
        var idle: [Int] = []
        /// Per lane: what it was given.
        var current: [DatabaseRequest?]
        var isConnected: [Bool]
        /// For the connector to take.
        var vacancies: [Vacancy]
        /// Set while no connection is up.
        var downSince: ContinuousClock.Instant? = .now
        var closeDeadline: ContinuousClock.Instant?
        var threads = 2
        var closers: [CheckedContinuation<Void, Never>] = []
        /// When the loop looks at the deadlines next.
        var planned: ContinuousClock.Instant = .now
    }

    let configuration: ConnectionPool.Configuration
    let target: ConnectTarget
    let logger: Logger
    let ready = ReadyList()
    /// Of the loop.
    let wakeup = Wakeup()
    let connectorWakeup = Wakeup()
    let lanes: [Lane]
    let state: Mutex<State>

    init(_ configuration: ConnectionPool.Configuration, target: ConnectTarget, logger: Logger) {
        self.configuration = configuration
        self.target = target
        self.logger = logger
        let size = configuration.size
        lanes = (0..<size).map { [ready, wakeup] in Lane($0, ready: ready, wakeup: wakeup, configuration: configuration) }
        state = Mutex(
            State(
                current: Array(repeating: nil, count: size), isConnected: Array(repeating: false, count: size),
                vacancies: (0..<size).map { Vacancy(lane: $0, loss: .done) }))
    }

    func start() {
        if !NamedThread.start("pg-loop", { PoolLoop(self).main() }) { threadEnded() }
        if !NamedThread.start("pg-connect", { PoolConnector(self).main() }) { threadEnded() }
    }

    var status: ConnectionPool.Status {
        state.withLock {
            ConnectionPool.Status(
                connected: $0.isConnected.count { $0 }, idle: $0.idle.count, busy: $0.current.count { $0 != nil }, waiting: $0.queue.count,
                isClosing: $0.closeDeadline != nil)
        }
    }

    // MARK: Callers

    /// Begins the request on a free connection, on this thread, or puts it into the queue.
    func submit(_ request: DatabaseRequest) { submit(request, keepsTurn: false) }

    private func submit(_ request: DatabaseRequest, keepsTurn: Bool) {
        enum Action {
            case serve(Lane)
            case wake
            case refuse(DatabaseError.Kind)
            case none
        }
        let action: Action = state.withLock { state in
            if state.closeDeadline != nil, !keepsTurn { return .refuse(.closed) }
            if let lane = state.idle.popLast() {
                state.current[lane] = request
                return .serve(lanes[lane])
            }
            // A short absence is waited out; after a checkout deadline without any connection nobody waits in vain.
            if let downSince = state.downSince, downSince.advanced(by: configuration.checkoutDeadline) < .now {
                return .refuse(.unavailable)
            }
            if keepsTurn { state.queue.prepend(request) } else { state.queue.append(request) }
            guard request.deadline < state.planned else { return .none }
            state.planned = request.deadline
            return .wake
        }
        switch action {
        case .serve(let lane): serve(lane, request)
        case .wake: wakeup.signal()
        case .refuse(let kind): request.finish(.failure(DatabaseError(kind)))
        case .none: break
        }
    }

    // MARK: Lanes

    /// Gives a free lane work until something is on its way over it or nothing is left to do.
    func serve(_ lane: Lane, _ first: DatabaseRequest? = nil, isFresh: Bool = false) {
        var given = first
        while true {
            var request: DatabaseRequest
            if let next = given {
                request = next
            } else {
                switch next(for: lane.index) {
                case .request(let next): request = next
                case .idle: return
                case .stop:
                    lane.drop()
                    return withdraw(lane.index, nil)
                }
            }
            given = nil
            switch lane.begin(request, isFresh: isFresh) {
            case .running: return
            case .nobody: continue
            case .gone:
                lane.drop()
                return withdraw(lane.index, .lost, unbegun: request)
            case .refused(let outcome):
                if outcome.isReusable {
                    request.finish(outcome.result)
                } else {
                    lane.drop()
                    withdraw(lane.index, outcome.loss)
                    return request.finish(outcome.result)
                }
            }
        }
    }

    /// What a free lane does next. Also ends its previous request.
    private func next(for lane: Int) -> Next {
        state.withLock { state in
            if let request = state.queue.popFirst() {
                state.current[lane] = request
                return .request(request)
            }
            state.current[lane] = nil
            if state.closeDeadline != nil { return .stop }
            state.idle.append(lane)
            return .idle
        }
    }

    /// Whether the lane was free; then it is the caller's now.
    func takeIdle(_ lane: Int) -> Bool {
        state.withLock { state in
            guard let place = state.idle.firstIndex(of: lane) else { return false }
            state.idle.remove(at: place)
            return true
        }
    }

    /// The lane's connection is gone. A request that has not begun keeps its turn.
    func withdraw(_ lane: Int, _ loss: Loss?, unbegun: DatabaseRequest? = nil) {
        state.withLock { state in
            state.current[lane] = nil
            state.isConnected[lane] = false
            if !state.isConnected.contains(true) { state.downSince = state.downSince ?? .now }
            if let loss { state.vacancies.append(Vacancy(lane: lane, loss: loss)) }
        }
        // A closing pool ends when its last connection has gone.
        if loss == nil { wakeup.signal() } else { connectorWakeup.signal() }
        if let unbegun { submit(unbegun, keepsTurn: true) }
    }

    /// - Returns: whether the server was away until now.
    func connected(_ lane: Lane) -> Bool {
        let wasDown = state.withLock { state in
            defer { state.downSince = nil }
            state.isConnected[lane.index] = true
            return state.downSince != nil
        }
        serve(lane, isFresh: true)
        return wasDown
    }
}
