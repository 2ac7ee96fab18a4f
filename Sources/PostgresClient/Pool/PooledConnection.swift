import Synchronization

/// One place of a pool: a connection, when there is one, and the request on its way over it.
///
/// A connection that is free stands in the core's list of idle ones. Who takes it from there begins a request on it, on the thread it is on: sending
/// never waits. From then on the connection belongs to the loop, which reads the answer.
///
/// The loop waits for nobody: who sends may lose the processor to the very server that he has just woken, and with him all other answers would wait.
/// An event that meets a connection in use is noted, and who lets go of the connection has the socket watched again.
final class PooledConnection: Sendable {
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
    }

    enum Begun {
        case running
        /// The caller has gone; the connection is free.
        case nobody
        /// The connection was dead. The request has not begun and keeps its turn.
        case gone
        /// Refused before it was sent.
        case refused(PipelineOutcome)
    }

    let index: Int
    private let token: UInt32
    private let ready: ReadyList
    private let wakeup: EventDescriptor
    private let idleCheck: Duration
    private let runDeadline: Duration
    private let state = Mutex(State())
    /// Who has or wants it, without the loop. Asked before the lock is: trying a lock that is taken is a call of the kernel, and makes one of letting it go.
    private let holders = Atomic(0)
    /// An event came while somebody else had the connection.
    private let isMissed = Atomic(false)

    init(_ index: Int, ready: ReadyList, wakeup: EventDescriptor, configuration: ConnectionPool.Configuration) {
        self.index = index
        token = UInt32(index)
        self.ready = ready
        self.wakeup = wakeup
        idleCheck = configuration.idleCheck
        runDeadline = configuration.runDeadline
    }

    /// - Returns: false when the system refuses to watch its socket.
    func install(_ link: PostgresLink, expiry: ContinuousClock.Instant) -> Bool {
        hold { state in
            guard ready.watch(link.socket, token: token, once: true) else { return false }
            state.link = link
            state.expiry = expiry
            return true
        }
    }

    /// Closes the connection. Before that its descriptor leaves the ready list.
    func drop() { hold { drop(&$0) } }

    func drop(_ state: inout State) {
        if let link = state.link { ready.forget(link.socket) }
        state.link = nil
        state.run = nil
    }

    /// Tells the loop of the next event.
    /// - Parameter forSpace: also when the socket takes more.
    func watch(_ state: inout State, forSpace: Bool = false) {
        guard let link = state.link else { return }
        ready.watch(link.socket, token: token, writing: forSpace, once: true)
    }

    // MARK: Whose it is

    /// Waits for the connection. Not for the loop while it reads.
    func hold<Result>(_ body: (inout sending State) -> sending Result) -> sending Result {
        let result = counted(body)
        while isMissed.exchange(false, ordering: .sequentiallyConsistent) {
            counted { state in watch(&state, forSpace: state.run != nil && state.link?.isFlushed == false) }
        }
        return result
    }

    /// - Returns: nil when somebody else has the connection.
    func holdIfFree<Result>(_ body: (inout sending State) -> sending Result) -> sending Result? {
        guard holders.load(ordering: .sequentiallyConsistent) == 0 else { return nil }
        return state.withLock(body)
    }

    /// For an event of the loop.
    /// - Returns: nil when somebody else has the connection; then its socket is watched again when he lets go of it.
    func holdOrNote<Result>(_ body: (inout sending State) -> sending Result) -> sending Result? {
        if let result = holdIfFree(body) { return result }
        isMissed.store(true, ordering: .sequentiallyConsistent)
        // He may have let go in between, without seeing the note.
        return holdIfFree(body)
    }

    private func counted<Result>(_ body: (inout sending State) -> sending Result) -> sending Result {
        holders.add(1, ordering: .sequentiallyConsistent)
        defer { holders.subtract(1, ordering: .sequentiallyConsistent) }
        return state.withLock(body)
    }

    /// Whether a request has come through since the last connection was made.
    func takeHasAnswered() -> Bool {
        hold { state in
            defer { state.hasAnswered = false }
            return state.hasAnswered
        }
    }

    var isEmpty: Bool { hold { $0.link == nil } }

    /// - Parameter isFresh: it has just answered, so it needs no look whether the server has closed it.
    func begin(_ request: DatabaseRequest, isFresh: Bool) -> Begun {
        guard case .pipeline(let statements) = request.work else { return .nobody }
        var isProbing = false
        let begun: Begun = hold { state in
            guard let link = state.link else { return .gone }
            let now = ContinuousClock.now
            if !isFresh {
                guard link.isAlive() else { return .gone }
                if link.lastUsed + idleCheck < now {
                    let probe = Run(request: request, statements: [], deadline: now + .seconds(1), isProbe: true)
                    guard case .waiting(let forSpace) = link.begin([]) else { return .gone }
                    if forSpace { watch(&state, forSpace: true) }
                    state.run = probe
                    isProbing = true
                    return .running
                }
            }
            guard request.begin(on: wakeup) else { return .nobody }
            switch link.begin(statements) {
            case .waiting(let forSpace):
                state.run = Run(request: request, statements: statements, deadline: now + runDeadline)
                if forSpace { watch(&state, forSpace: true) }
                return .running
            case .finished(let outcome): return .refused(outcome)
            }
        }
        // The loop's plan may reach beyond the probe's second.
        if isProbing { wakeup.signal() }
        return begun
    }
}
