package import PostgresClient
package import TestServers
import TestSupport

/// An empty database of one test on the shared server.
package struct TestDatabase: Sendable {
    package let server: PrivatePostgres
    package let name: String

    package static func make(on server: PrivatePostgres? = nil) async throws -> TestDatabase {
        let server = if let server { server } else { try await PrivatePostgres.shared() }
        return TestDatabase(server: server, name: try await server.newDatabase())
    }

    package func settings(
        applicationName: String = "test", statementTimeout: Duration = .seconds(5), searchPath: String? = nil
    ) -> ConnectionSettings {
        ConnectionSettings(
            conninfo: server.conninfo(database: name), applicationName: applicationName, searchPath: searchPath,
            statementTimeout: statementTimeout)
    }

    package func pool(
        size: Int = 1, checkoutDeadline: Duration = .seconds(5), statementTimeout: Duration = .seconds(5), runDeadline: Duration? = nil,
        maxLifetime: Duration = .seconds(1_800), idleCheck: Duration = .seconds(30), applicationName: String = "test"
    ) throws -> ConnectionPool {
        try ConnectionPool(
            ConnectionPool.Configuration(
                connection: settings(applicationName: applicationName, statementTimeout: statementTimeout), size: size,
                checkoutDeadline: checkoutDeadline, maxLifetime: maxLifetime, idleCheck: idleCheck, runDeadline: runDeadline),
            logger: .quiet)
    }

    @discardableResult
    package func sql(_ text: String) async throws -> String {
        try await server.sql(text, database: name)
    }
}

extension ConnectionPool {
    /// One statement, one answer.
    @discardableResult
    package func query(_ sql: String, _ parameters: Parameter...) async throws(DatabaseError) -> Rows {
        let rows = try await run([Statement(sql, parameters)])
        guard let first = rows.first else { throw DatabaseError(.decoding) }
        return first
    }
}

/// The error of a call that must fail.
package func failure<Value>(_ body: () async throws(DatabaseError) -> Value) async -> DatabaseError? {
    do {
        _ = try await body()
        return nil
    } catch {
        return error
    }
}
