package import Logging

/// A fixed number of Postgres connections, read by one thread and made by another (docs/decisions/0018-libpq-threads.md).
///
/// Connects in the background: a database that is down delays nothing but the answers. Closes when the last reference goes.
package final class ConnectionPool: Sendable {
    package struct Configuration: Sendable {
        package var connection: ConnectionSettings
        package var size: Int
        /// How long a call waits for a free connection.
        package var checkoutDeadline: Duration
        /// A connection is replaced at this age, give or take a tenth, when nothing runs on it.
        package var maxLifetime: Duration
        /// After this long without use a connection is asked for an empty answer before it is trusted.
        package var idleCheck: Duration
        /// How long a call may run on its connection before the connection is thrown away: for a server that went silent.
        package var runDeadline: Duration
        package var backOffBase: Duration
        package var backOffCap: Duration

        package init(
            connection: ConnectionSettings, size: Int = 8, checkoutDeadline: Duration = .seconds(2),
            maxLifetime: Duration = .seconds(1_800),
            idleCheck: Duration = .seconds(30), runDeadline: Duration? = nil, backOffBase: Duration = .milliseconds(50),
            backOffCap: Duration = .seconds(5)
        ) {
            self.connection = connection
            self.size = max(1, size)
            self.checkoutDeadline = checkoutDeadline
            self.maxLifetime = maxLifetime
            self.idleCheck = idleCheck
            // Each statement has the server's own limit; a pipeline has a few statements.
            self.runDeadline = runDeadline ?? connection.statementTimeout * 2 + .seconds(1)
            self.backOffBase = backOffBase
            self.backOffCap = backOffCap
        }
    }

    /// A moment's figures, for readiness and metrics.
    package struct Status: Sendable {
        package let connected: Int
        package let idle: Int
        /// Connections that run a call.
        package let busy: Int
        package let waiting: Int
        /// Takes no new calls.
        package let isClosing: Bool
    }

    let core: PoolCore

    /// Throws `.configuration` when the connection string does not parse; nothing else is tried here.
    package init(_ configuration: Configuration, logger: Logger) throws(DatabaseError) {
        core = PoolCore(configuration, target: try ConnectTarget(configuration.connection), logger: logger)
        core.start()
    }

    deinit {
        core.close(deadline: .now)
    }

    /// Runs the statements as one transaction in one round trip, and returns one `Rows` per statement after the commit.
    ///
    /// - Throws: the first statement's error (then nothing was written), `.timeout` when no connection became free in time,
    ///   `.unavailable` while the database is away. Cancelling the task gives `.cancelled` at once and discards the connection.
    package func run(_ pipeline: [Statement]) async throws(DatabaseError) -> [Rows] {
        guard !pipeline.isEmpty else { return [] }
        let request = DatabaseRequest(.pipeline(pipeline), deadline: .now + core.configuration.checkoutDeadline)
        return try await request.answer { core.submit($0) }.get()
    }

    /// Takes no new calls, lets the running and waiting ones finish within the deadline, fails the rest with `.closed`.
    package func close(within limit: Duration = .seconds(5)) async {
        await core.closeAndWait(until: .now + limit)
    }

    package var status: Status { core.status }
}
