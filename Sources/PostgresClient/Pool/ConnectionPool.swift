package import Logging

/// A fixed number of Postgres connections, read by one thread and opened by another (docs/decisions/0002-postgres-client.md).
///
/// Connects in the background: a database that is down delays only the answers. Closes when the last reference is released.
package final class ConnectionPool: Sendable {
    package struct Configuration: Sendable {
        package var connection: ConnectionSettings
        package var size: Int
        /// How long a call waits for a free connection.
        package var checkoutDeadline: Duration
        /// An idle connection is replaced at this age, plus or minus a tenth.
        package var maxLifetime: Duration
        /// A connection unused for this long must answer an empty pipeline before it gets a request.
        package var idleCheck: Duration
        /// How long a call may run before its connection is discarded, for a server that went silent.
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
            // The server limits each statement by itself; a pipeline has a few statements.
            self.runDeadline = runDeadline ?? connection.statementTimeout * 2 + .seconds(1)
            self.backOffBase = backOffBase
            self.backOffCap = backOffCap
        }
    }

    /// A snapshot for readiness and metrics.
    package struct Status: Sendable {
        package let connected: Int
        package let idle: Int
        /// Connections with a call in progress.
        package let busy: Int
        package let waiting: Int
        /// No new calls are accepted.
        package let isClosing: Bool
    }

    let core: PoolCore

    /// Throws `.configuration` when the connection string does not parse. Does not wait for a connection.
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
    ///   `.unavailable` while the database is down. Cancelling the task gives `.cancelled` at once and discards the connection.
    package func run(_ pipeline: [Statement]) async throws(DatabaseError) -> [Rows] {
        guard !pipeline.isEmpty else { return [] }
        let request = DatabaseRequest(.pipeline(pipeline), deadline: .now + core.configuration.checkoutDeadline)
        return try await request.answer { core.submit($0) }.get()
    }

    /// Refuses new calls, lets running and waiting ones finish within the limit, and fails the rest with `.closed`.
    package func close(within limit: Duration = .seconds(5)) async {
        await core.closeAndWait(until: .now + limit)
    }

    package var status: Status { core.status }
}
