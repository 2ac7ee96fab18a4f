import BlockingCalls
import Logging
import Synchronization

/// The pool's state, and the only place where requests meet connections. Nothing waits while holding its lock, and no connection's lock is taken under it.
final class PoolCore: Sendable {
    enum Next {
        case request(DatabaseRequest)
        case idle
        case stop
    }

    /// Why a connection is without its connection.
    enum Loss {
        /// Thrown away or worn out: a new one is wanted at once.
        case done
        /// The server ended it or cannot be reached: a new one is wanted after a pause.
        case lost
    }

    struct Vacancy {
        let connection: Int
        let loss: Loss
    }

    struct State {
        var queue = RequestQueue()
        /// Connections that are free, the last used on top.
        var idle: [Int] = []
        /// Per connection: what it was given.
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
    let wakeup = EventDescriptor()
    let connectorWakeup = EventDescriptor()
    let connections: [PooledConnection]
    let state: Mutex<State>

    init(_ configuration: ConnectionPool.Configuration, target: ConnectTarget, logger: Logger) {
        self.configuration = configuration
        self.target = target
        self.logger = logger
        let size = configuration.size
        connections = (0..<size).map { [ready, wakeup] in PooledConnection($0, ready: ready, wakeup: wakeup, configuration: configuration) }
        state = Mutex(
            State(
                current: Array(repeating: nil, count: size), isConnected: Array(repeating: false, count: size),
                vacancies: (0..<size).map { Vacancy(connection: $0, loss: .done) }))
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
            case serve(PooledConnection)
            case wake
            case refuse(DatabaseError.Kind)
            case none
        }
        let action: Action = state.withLock { state in
            if state.closeDeadline != nil, !keepsTurn { return .refuse(.closed) }
            if let connection = state.idle.popLast() {
                state.current[connection] = request
                return .serve(connections[connection])
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
        case .serve(let connection): serve(connection, request)
        case .wake: wakeup.signal()
        case .refuse(let kind): request.finish(.failure(DatabaseError(kind)))
        case .none: break
        }
    }

    // MARK: Connections

    /// Gives a free connection work until something is on its way over it or nothing is left to do.
    func serve(_ connection: PooledConnection, _ first: DatabaseRequest? = nil, isFresh: Bool = false) {
        var given = first
        while true {
            var request: DatabaseRequest
            if let next = given {
                request = next
            } else {
                switch next(for: connection.index) {
                case .request(let next): request = next
                case .idle: return
                case .stop:
                    connection.drop()
                    return withdraw(connection.index, nil)
                }
            }
            given = nil
            switch connection.begin(request, isFresh: isFresh) {
            case .running: return
            case .nobody: continue
            case .gone:
                connection.drop()
                return withdraw(connection.index, .lost, unbegun: request)
            case .refused(let outcome):
                if outcome.isReusable {
                    request.finish(outcome.result)
                } else {
                    connection.drop()
                    withdraw(connection.index, outcome.loss)
                    return request.finish(outcome.result)
                }
            }
        }
    }

    /// What a free connection does next. Also ends its previous request.
    private func next(for connection: Int) -> Next {
        state.withLock { state in
            if let request = state.queue.popFirst() {
                state.current[connection] = request
                return .request(request)
            }
            state.current[connection] = nil
            if state.closeDeadline != nil { return .stop }
            state.idle.append(connection)
            return .idle
        }
    }

    /// Whether the connection was free; then it is the caller's now.
    func takeIdle(_ connection: Int) -> Bool {
        state.withLock { state in
            guard let place = state.idle.firstIndex(of: connection) else { return false }
            state.idle.remove(at: place)
            return true
        }
    }

    /// The connection's connection is gone. A request that has not begun keeps its turn.
    func withdraw(_ connection: Int, _ loss: Loss?, unbegun: DatabaseRequest? = nil) {
        state.withLock { state in
            state.current[connection] = nil
            state.isConnected[connection] = false
            if !state.isConnected.contains(true) { state.downSince = state.downSince ?? .now }
            if let loss { state.vacancies.append(Vacancy(connection: connection, loss: loss)) }
        }
        // A closing pool ends when its last connection has gone.
        if loss == nil { wakeup.signal() } else { connectorWakeup.signal() }
        if let unbegun { submit(unbegun, keepsTurn: true) }
    }

    /// - Returns: whether the server was away until now.
    func connected(_ connection: PooledConnection) -> Bool {
        let wasDown = state.withLock { state in
            defer { state.downSince = nil }
            state.isConnected[connection.index] = true
            return state.downSince != nil
        }
        serve(connection, isFresh: true)
        return wasDown
    }
}
