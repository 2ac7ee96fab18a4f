package import Logging
package import PostgresClient
package import TestServers

/// An empty database of one test on the shared server.
package struct TestDatabase: Sendable {
    package let server: PrivatePostgres
    package let name: String

    package static func make(on server: PrivatePostgres? = nil) async throws -> TestDatabase {
        let server = if let server { server } else { try await PrivatePostgres.shared() }
        return TestDatabase(server: server, name: try await server.newDatabase())
    }

    package static let quiet = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

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
            logger: Self.quiet)
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

/// Checks every 5 ms until the condition holds; false when the limit passes first.
package func eventually(within limit: Duration = .seconds(10), _ condition: () async throws -> Bool) async rethrows -> Bool {
    let deadline = ContinuousClock.now + limit
    repeat {
        if try await condition() { return true }
        try? await Task.sleep(for: .milliseconds(5))
    } while ContinuousClock.now < deadline
    return false
}
