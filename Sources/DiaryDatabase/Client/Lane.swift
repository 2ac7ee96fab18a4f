import Synchronization

/// One place of a pool: a connection, when there is one, and the request on its way over it.
///
/// A lane that is free stands in the core's list of idle ones. Who takes it from there begins a request on it, on the thread it is on: sending
/// never waits. From then on the lane belongs to the loop, which reads the answer.
final class Lane: Sendable {
    struct Run {
        let request: DatabaseRequest
        let statements: [Statement]
        let deadline: ContinuousClock.Instant
        /// The empty pipeline that shows whether a connection silent for long still lives. Its request has not begun.
        var isProbe = false
        /// The plans were stale, and this is the second try.
        var isSecond = false
    }

    struct State {
        var link: PostgresLink?
        var run: Run?
        var expiry: ContinuousClock.Instant = .now
        /// A request has come through since the connection was made.
        var hasAnswered = false
        /// The loop hears when the socket takes more.
        var watchesSpace = false
    }

    enum Begun {
        case running
        /// The caller has gone; the lane is free.
        case nobody
        /// The connection was dead. The request has not begun and keeps its turn.
        case gone
        /// Refused before it was sent.
        case refused(PipelineOutcome)
    }

    let index: Int
    private let token: UInt32
    private let ready: ReadyList
    private let wakeup: Wakeup
    private let idleCheck: Duration
    private let runDeadline: Duration
    let state = Mutex(State())

    init(_ index: Int, ready: ReadyList, wakeup: Wakeup, configuration: ConnectionPool.Configuration) {
        self.index = index
        token = UInt32(index)
        self.ready = ready
        self.wakeup = wakeup
        idleCheck = configuration.idleCheck
        runDeadline = configuration.runDeadline
    }

    /// - Returns: false when the system refuses to watch its socket.
    func install(_ link: PostgresLink, expiry: ContinuousClock.Instant) -> Bool {
        state.withLock { state in
            guard ready.watch(link.socket, token: token) else { return false }
            state.link = link
            state.expiry = expiry
            return true
        }
    }

    /// Closes the connection. Before that its descriptor leaves the ready list.
    func drop() { state.withLock { drop(&$0) } }

    func drop(_ state: inout State) {
        if let link = state.link { ready.forget(link.socket) }
        state.link = nil
        state.run = nil
        state.watchesSpace = false
    }

    func watch(_ state: inout State, forSpace: Bool) {
        guard let link = state.link, state.watchesSpace != forSpace else { return }
        state.watchesSpace = forSpace
        ready.watch(link.socket, token: token, writing: forSpace)
    }

    /// Whether a request has come through since the last connection was made.
    func takeHasAnswered() -> Bool {
        state.withLock { state in
            defer { state.hasAnswered = false }
            return state.hasAnswered
        }
    }

    var isEmpty: Bool { state.withLock { $0.link == nil } }

    /// - Parameter isFresh: it has just answered, so it needs no look whether the server has closed it.
    func begin(_ request: DatabaseRequest, isFresh: Bool) -> Begun {
        guard case .pipeline(let statements) = request.work else { return .nobody }
        return state.withLock { state in
            guard let link = state.link else { return .gone }
            let now = ContinuousClock.now
            if !isFresh {
                guard link.isAlive() else { return .gone }
                if link.lastUsed + idleCheck < now {
                    let probe = Run(request: request, statements: [], deadline: now + .seconds(1), isProbe: true)
                    guard case .waiting(let forSpace) = link.begin([]) else { return .gone }
                    watch(&state, forSpace: forSpace)
                    state.run = probe
                    // The loop's plan may reach beyond this second.
                    wakeup.signal()
                    return .running
                }
            }
            guard request.begin(on: wakeup) else { return .nobody }
            switch link.begin(statements) {
            case .waiting(let forSpace):
                state.run = Run(request: request, statements: statements, deadline: now + runDeadline)
                watch(&state, forSpace: forSpace)
                return .running
            case .finished(let outcome): return .refused(outcome)
            }
        }
    }
}
