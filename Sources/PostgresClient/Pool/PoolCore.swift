import BlockingCalls
import Logging
import Synchronization

/// The pool's state; assigns requests to connections. Its lock is never held while waiting, and no connection's lock is taken under it.
final class PoolCore: Sendable {
    enum Next {
        case request(DatabaseRequest)
        case idle
        case stop
    }

    /// Why a slot of the pool lost its connection.
    enum Loss {
        /// Discarded or past its lifetime: replaced at once.
        case done
        /// The server ended it or cannot be reached: replaced after a pause.
        case lost
    }

    struct Vacancy {
        let connection: Int
        let loss: Loss
    }

    struct State {
        var queue = RequestQueue()
        /// Free connections, the last used on top.
        var idle: [Int] = []
        /// Per connection: the request assigned to it.
        var current: [DatabaseRequest?]
        var isConnected: [Bool]
        /// Taken by the connector.
        var vacancies: [Vacancy]
        /// Set while no connection is open.
        var downSince: ContinuousClock.Instant? = .now
        var closeDeadline: ContinuousClock.Instant?
        var threads = 2
        var closers: [CheckedContinuation<Void, Never>] = []
        /// When the loop next checks the deadlines.
        var planned: ContinuousClock.Instant = .now
    }

    let configuration: ConnectionPool.Configuration
    let target: ConnectTarget
    let logger: Logger
    let ready = ReadyList()
    /// Wakes the loop.
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
        if !NamedThread.start("pg-loop", { PoolLoop(core: self).main() }) { threadEnded() }
        if !NamedThread.start("pg-connect", { PoolConnector(core: self).main() }) { threadEnded() }
    }

    var status: ConnectionPool.Status {
        state.withLock {
            ConnectionPool.Status(
                connected: $0.isConnected.count { $0 }, idle: $0.idle.count, busy: $0.current.count { $0 != nil }, waiting: $0.queue.count,
                isClosing: $0.closeDeadline != nil)
        }
    }

    // MARK: Callers

    /// Sends the request on a free connection from the calling thread, or queues it.
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
            // Callers wait through a short outage. After one checkout deadline without any connection they fail at once.
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

    /// Gives a free connection requests until one is in flight or none is left.
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
            case .abandoned: continue
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

    /// The next step of a free connection. Also clears its previous request.
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

    /// - Returns: whether the connection was free; it then belongs to the caller.
    func takeIdle(_ connection: Int) -> Bool {
        state.withLock { state in
            guard let place = state.idle.firstIndex(of: connection) else { return false }
            state.idle.remove(at: place)
            return true
        }
    }

    /// The slot's connection is gone. A request that has not begun keeps its turn.
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

    /// - Returns: whether the server was down until now.
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
