import CLibpq

/// One libpq connection in pipeline mode: the owner of the handle. Has one user at a time: a session's thread, or who holds its connection's lock.
final class PostgresLink: @unchecked Sendable {
    let handle: OpaquePointer
    let born: ContinuousClock.Instant = .now
    var lastUsed: ContinuousClock.Instant = .now
    /// A session of its own may have a transaction open between calls; a pool's connection never.
    var mayHoldTransaction = false
    var prepared = PreparedStatements()
    var parameters = ParameterBuffer()
    var steps: [PipelineStep] = []
    /// Of the pipeline on its way.
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
        /// libpq's words. No statement has been sent yet, so they name hosts, roles and databases, nothing else.
        case refused(String)
    }

    /// Connects without blocking. libpq's `connect_timeout` does not apply to this way, so the deadline is kept here.
    static func connect(
        _ target: ConnectTarget, wakeup: EventDescriptor, isStopped: () -> Bool
    ) throws(ConnectFailure) -> PostgresLink {
        let deadline = ContinuousClock.now + target.connectTimeout
        guard let handle = target.withPointers({ PQconnectStartParams($0, $1, 0) }) else { throw .refused("no memory") }
        let link = PostgresLink(handle)
        // Notices quote values; libpq would print them to stderr.
        PQsetNoticeReceiver(handle, { _, _ in }, nil)
        var state = PQstatus(handle) == CONNECTION_BAD ? PGRES_POLLING_FAILED : PGRES_POLLING_WRITING
        while state != PGRES_POLLING_OK {
            guard state != PGRES_POLLING_FAILED else { throw .refused(link.connectMessage) }
            // The descriptor changes while libpq goes through addresses: asked for anew each time.
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

    /// Takes in what the server sent between requests (settings, a farewell). false when the connection is gone.
    func isAlive() -> Bool {
        guard PQstatus(handle) == CONNECTION_OK else { return false }
        // One look takes in one read: a farewell and the end behind it need two. Whoever talks on and on is not waited for.
        var looks = 0
        while looks < 16, SocketWait.isReadable(socket) {
            guard absorb() else { return false }
            looks += 1
        }
        return true
    }

    func absorb() -> Bool {
        guard PQconsumeInput(handle) == 1 else { return false }
        // Parses what came. Nothing was asked for, so anything but idle is a protocol error.
        return PQisBusy(handle) == 0 && PQstatus(handle) == CONNECTION_OK
    }
}
