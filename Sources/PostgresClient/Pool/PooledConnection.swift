import Synchronization

/// One slot of a pool: its connection, if it has one, and the request in flight.
///
/// A free connection is in the core's list of idle ones. The caller that takes it from there sends the request on its own thread;
/// sending never blocks. The loop then reads the answer.
///
/// The loop never blocks on this lock: a sender may be preempted by the server it has just woken, and while it holds the lock the
/// answers of all other connections would wait. An event for a connection in use is noted, and releasing the connection watches
/// the socket again.
final class PooledConnection: Sendable {
    struct Run {
        let request: DatabaseRequest
        let statements: [Statement]
        let deadline: ContinuousClock.Instant
        /// An empty pipeline that tests a connection unused for long. The request has not begun.
        var isProbe = false
        /// The plans were stale, and this is the second try.
        var isSecond = false
    }

    struct State {
        var link: PostgresLink?
        var run: Run?
        var expiry: ContinuousClock.Instant = .now
        /// A request has succeeded since the connection was opened.
        var hasAnswered = false
    }

    enum Begun {
        case running
        /// The caller has been answered already; the connection is free.
        case abandoned
        /// The connection was closed. The request has not begun and keeps its turn.
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
    /// Senders that hold or wait for the lock, without the loop. Read first because a contended tryLock costs a futex call, and makes
    /// unlock cost one.
    private let holders = Atomic(0)
    /// An event arrived while a sender held the connection.
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

    /// Closes the connection, after removing its descriptor from the ready list.
    func drop() { hold { drop(&$0) } }

    func drop(_ state: inout State) {
        if let link = state.link { ready.forget(link.socket) }
        state.link = nil
        state.run = nil
    }

    /// Registers with the loop for the socket's next event.
    /// - Parameter forSpace: also when the socket becomes writable.
    func watch(_ state: inout State, forSpace: Bool = false) {
        guard let link = state.link else { return }
        ready.watch(link.socket, token: token, writing: forSpace, once: true)
    }

    // MARK: Locking

    /// Waits for the lock. Not for use by the loop while it reads.
    func hold<Result>(_ body: (inout sending State) -> sending Result) -> sending Result {
        let result = counted(body)
        while isMissed.exchange(false, ordering: .sequentiallyConsistent) {
            counted { state in watch(&state, forSpace: state.run != nil && state.link?.isFlushed == false) }
        }
        return result
    }

    /// - Returns: nil when a sender holds the connection.
    func holdIfFree<Result>(_ body: (inout sending State) -> sending Result) -> sending Result? {
        guard holders.load(ordering: .sequentiallyConsistent) == 0 else { return nil }
        return state.withLock(body)
    }

    /// For an event of the loop.
    /// - Returns: nil when a sender holds the connection; the socket is then watched again when the sender releases it.
    func holdOrNote<Result>(_ body: (inout sending State) -> sending Result) -> sending Result? {
        if let result = holdIfFree(body) { return result }
        isMissed.store(true, ordering: .sequentiallyConsistent)
        // The sender may have released it in between, without seeing the note.
        return holdIfFree(body)
    }

    private func counted<Result>(_ body: (inout sending State) -> sending Result) -> sending Result {
        holders.add(1, ordering: .sequentiallyConsistent)
        defer { holders.subtract(1, ordering: .sequentiallyConsistent) }
        return state.withLock(body)
    }

    /// Whether a request has succeeded since the connection was opened.
    func takeHasAnswered() -> Bool {
        hold { state in
            defer { state.hasAnswered = false }
            return state.hasAnswered
        }
    }

    var isEmpty: Bool { hold { $0.link == nil } }

    /// - Parameter isFresh: it has just answered, so the socket need not be checked for a close.
    func begin(_ request: DatabaseRequest, isFresh: Bool) -> Begun {
        guard case .pipeline(let statements) = request.work else { return .abandoned }
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
            guard request.begin(on: wakeup) else { return .abandoned }
            switch link.begin(statements) {
            case .waiting(let forSpace):
                state.run = Run(request: request, statements: statements, deadline: now + runDeadline)
                if forSpace { watch(&state, forSpace: true) }
                return .running
            case .finished(let outcome): return .refused(outcome)
            }
        }
        // The loop's next check may be later than the probe's deadline of one second.
        if isProbing { wakeup.signal() }
        return begun
    }
}
