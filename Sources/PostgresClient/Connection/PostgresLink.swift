import CLibpq

/// One libpq connection in pipeline mode; owns the handle.
///
/// Unchecked: used by one thread at a time, a session's own or the one that holds the lock of its `PooledConnection`.
final class PostgresLink: @unchecked Sendable {
    let handle: OpaquePointer
    let born: ContinuousClock.Instant = .now
    var lastUsed: ContinuousClock.Instant = .now
    /// A dedicated session may keep a transaction open between calls; a pool's connection never does.
    var mayHoldTransaction = false
    var prepared = PreparedStatements()
    var parameters = ParameterBuffer()
    var steps: [PipelineStep] = []
    /// The answer to the pipeline in progress.
    var answer = PipelineAnswer()
    var wasCached = false
    var isFlushed = true

    private init(_ handle: OpaquePointer) {
        self.handle = handle
    }

    deinit {
        PQfinish(handle)
    }

    enum ConnectFailure: Error {
        case stopped
        case timedOut
        /// libpq's message. No statement has been sent yet, so it names hosts, roles and databases, nothing else.
        case refused(String)
    }

    /// Tries each server of the target until one connects.
    /// - Parameter onSilence: receives a server that did not answer in time.
    static func connect(
        _ target: ConnectTarget, wakeup: EventDescriptor, onSilence: (ServerEndpoint) -> Void = { _ in }, isStopped: () -> Bool
    ) throws(ConnectFailure) -> PostgresLink {
        var reasons: [String] = []
        var silent: Set<ServerEndpoint> = []
        for attempt in target.attempts() where !silent.contains(attempt.endpoint) {
            do throws(ConnectFailure) {
                let link = try connect(attempt, until: .now + target.connectTimeout, wakeup: wakeup, isStopped: isStopped)
                target.silentServers.forget(attempt.endpoint)
                return link
            } catch {
                switch error {
                case .stopped: throw error
                case .timedOut:
                    silent.insert(attempt.endpoint)
                    target.silentServers.note(attempt.endpoint)
                    onSilence(attempt.endpoint)
                case .refused(let reason): reasons.append(reason)
                }
            }
        }
        throw reasons.isEmpty ? .timedOut : .refused(String(reasons.joined(separator: "; ").prefix(600)))
    }

    /// Connects without blocking. libpq ignores `connect_timeout` in this mode, and with several servers in one call it would begin with
    /// the first each time, so the deadline is kept here, one for each server.
    private static func connect(
        _ attempt: ConnectAttempt, until deadline: ContinuousClock.Instant, wakeup: EventDescriptor, isStopped: () -> Bool
    ) throws(ConnectFailure) -> PostgresLink {
        guard let handle = attempt.withPointers({ PQconnectStartParams($0, $1, 0) }) else { throw .refused("no memory") }
        let link = PostgresLink(handle)
        // Notices quote values; libpq would print them to stderr.
        PQsetNoticeReceiver(handle, { _, _ in }, nil)
        var state = PQstatus(handle) == CONNECTION_BAD ? PGRES_POLLING_FAILED : PGRES_POLLING_WRITING
        while state != PGRES_POLLING_OK {
            guard state != PGRES_POLLING_FAILED else { throw .refused(link.connectMessage) }
            // The descriptor changes while libpq tries addresses, so it is read anew each time.
            let wait = SocketWait.wait(
                socket: PQsocket(handle), reading: state == PGRES_POLLING_READING, writing: state == PGRES_POLLING_WRITING,
                wakeup: wakeup, until: deadline)
            if wait.woken, isStopped() { throw .stopped }
            if wait.readable || wait.writable {
                state = PQconnectPoll(handle)
            } else if ContinuousClock.now >= deadline {
                throw .timedOut
            }
        }
        guard PQsetnonblocking(handle, 1) == 0, PQenterPipelineMode(handle) == 1 else { throw .refused("no pipeline mode") }
        return link
    }

    private var connectMessage: String {
        guard let text = PQerrorMessage(handle) else { return "" }
        return String(String(cString: text).split(whereSeparator: \.isNewline).joined(separator: "; ").prefix(300))
    }

    var socket: Int32 { PQsocket(handle) }

    /// Reads what the server sent between requests (parameter changes, a termination notice). false when the connection is gone.
    func isAlive() -> Bool {
        guard PQstatus(handle) == CONNECTION_OK else { return false }
        // `absorb` does one read; a termination notice and the end of the stream behind it need two. Bounded, so that a server
        // that keeps sending does not hold up the caller.
        var reads = 0
        while reads < 16, SocketWait.isReadable(socket) {
            guard absorb() else { return false }
            reads += 1
        }
        return true
    }

    /// Reads what has arrived while no request is in progress. false when the connection is gone.
    func absorb() -> Bool {
        guard consume() else { return false }
        // Parses what was read. No request is in progress, so a busy connection is a protocol error.
        return PQisBusy(handle) == 0 && PQstatus(handle) == CONNECTION_OK
    }

    /// One read, and over TLS the rest of its record: a record may hold more than fits into libpq's buffer, and what is left in the TLS layer
    /// is not reported by `poll`.
    /// - Returns: false when the connection is gone.
    func consume() -> Bool {
        repeat {
            guard PQconsumeInput(handle) == 1 else { return false }
        } while pending_in_tls(handle) > 0
        return true
    }
}

extension PostgresLink {
    /// Runs the statements as one transaction and blocks the thread until the answer.
    func run(
        _ statements: [Statement], wakeup: EventDescriptor, until deadline: ContinuousClock.Instant?, isAbandoned: () -> Bool
    ) -> PipelineOutcome {
        var progress = begin(statements)
        while true {
            switch progress {
            case .finished(let outcome):
                lastUsed = .now
                return outcome
            case .waiting(let forSpace):
                let wait = SocketWait.wait(socket: socket, writing: forSpace, wakeup: wakeup, until: deadline)
                if wait.woken, isAbandoned() { return givenUp(.cancelled) }
                if wait.timedOut, let deadline, ContinuousClock.now >= deadline { return givenUp(.timeout) }
                progress = advance(readable: wait.readable)
            }
        }
    }

    /// The statements may still run on the server, so the connection cannot be reused.
    func givenUp(_ kind: DatabaseError.Kind) -> PipelineOutcome {
        PipelineOutcome(result: .failure(DatabaseError(kind, outcomeUnknown: true)), isReusable: false)
    }
}
