import BlockingCalls
package import Logging
import Synchronization

/// One session on a thread of its own, for work that needs the same session throughout: scripts and advisory locks.
///
/// Connects at the first call. Once the connection is lost every later call fails, because the session's locks are lost too.
package final class DedicatedConnection: Sendable {
    private struct Mailbox {
        var requests = RequestQueue()
        var isClosed = false
    }

    private final class Session: Sendable {
        let mailbox = Mutex(Mailbox())
        let wakeup = EventDescriptor()
        let target: ConnectTarget
        let runDeadline: Duration?
        let logger: Logger

        init(target: ConnectTarget, runDeadline: Duration?, logger: Logger) {
            self.target = target
            self.runDeadline = runDeadline
            self.logger = logger
        }
    }

    private let session: Session

    /// - Parameter runDeadline: how long one call may run; nil is without limit.
    package init(_ settings: ConnectionSettings, runDeadline: Duration? = nil, logger: Logger) throws(DatabaseError) {
        session = Session(target: try ConnectTarget(settings), runDeadline: runDeadline, logger: logger)
        let session = session
        if !NamedThread.start("pg-session", { Self.main(session) }) { session.mailbox.withLock { $0.isClosed = true } }
    }

    deinit {
        close()
    }

    /// Does what `ConnectionPool.run` does, within the transaction that a script may have opened.
    package func run(_ pipeline: [Statement]) async throws(DatabaseError) -> [Rows] {
        try await perform(.pipeline(pipeline))
    }

    /// Runs several statements by the simple protocol: one implicit transaction unless the script says otherwise.
    /// The error's position counts from the script's start.
    package func runScript(_ sql: String) async throws(DatabaseError) {
        _ = try await perform(.script(sql))
    }

    /// Ends the session after the calls that already wait.
    package func close() {
        session.mailbox.withLock { $0.isClosed = true }
        session.wakeup.signal()
    }

    private func perform(_ work: DatabaseRequest.Work) async throws(DatabaseError) -> [Rows] {
        let request = DatabaseRequest(work, deadline: .now)
        return try await request.answer { request in
            let isClosed = session.mailbox.withLock { mailbox in
                if !mailbox.isClosed { mailbox.requests.append(request) }
                return mailbox.isClosed
            }
            if isClosed { request.finish(.failure(DatabaseError(.closed))) } else { session.wakeup.signal() }
        }.get()
    }

    private static func main(_ session: Session) {
        var link: PostgresLink?
        var failure: DatabaseError?
        while true {
            let (next, isClosed) = session.mailbox.withLock { ($0.requests.popFirst(), $0.isClosed) }
            guard let request = next else {
                if isClosed { return }
                _ = SocketWait.wait(socket: -1, wakeup: session.wakeup, until: nil)
                continue
            }
            guard request.begin(on: session.wakeup) else { continue }
            if link == nil, failure == nil {
                do {
                    link = try PostgresLink.connect(session.target, wakeup: session.wakeup, isStopped: { request.isAbandoned })
                    link?.mayHoldTransaction = true
                } catch {
                    if case .refused(let reason) = error {
                        session.logger.warning("database connection refused", metadata: ["reason": "\(reason)"])
                    }
                    failure = DatabaseError(.unavailable)
                }
            }
            guard let open = link else {
                request.finish(.failure(failure ?? DatabaseError(.unavailable)))
                continue
            }
            let deadline = session.runDeadline.map { ContinuousClock.now + $0 }
            let outcome =
                switch request.work {
                case .pipeline(let statements):
                    open.run(statements, wakeup: session.wakeup, until: deadline, isAbandoned: { request.isAbandoned })
                case .script(let sql):
                    open.runScript(sql, wakeup: session.wakeup, until: deadline, isAbandoned: { request.isAbandoned })
                }
            if !outcome.isReusable {
                link = nil
                failure = DatabaseError(.unavailable)
            }
            request.finish(outcome.result)
        }
    }
}
