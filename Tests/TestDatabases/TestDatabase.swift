import DiaryDatabase
import FoundationEssentials
import Logging
import TestServers

/// An empty database of one test on the shared server.
struct TestDatabase {
    let server: PrivatePostgres
    let name: String

    static func make(on server: PrivatePostgres? = nil) async throws -> TestDatabase {
        let server = if let server { server } else { try await PrivatePostgres.shared() }
        return TestDatabase(server: server, name: try await server.newDatabase())
    }

    static let quiet = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

    func settings(
        applicationName: String = "test", statementTimeout: Duration = .seconds(5), searchPath: String? = nil
    ) -> ConnectionSettings {
        ConnectionSettings(
            conninfo: server.conninfo(database: name), applicationName: applicationName, searchPath: searchPath,
            statementTimeout: statementTimeout)
    }

    func pool(
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
    func sql(_ text: String) async throws -> String {
        try await server.sql(text, database: name)
    }
}

/// Holds calls on the server until it is told to let them go.
struct Barrier {
    private static let key: Int64 = 77
    private let holder: DedicatedConnection
    /// Waits while the barrier is up.
    static let statement = Statement("select pg_advisory_xact_lock($1)", [.int(key)])

    static func raise(in database: TestDatabase) async throws -> Barrier {
        let holder = try DedicatedConnection(database.settings(), logger: TestDatabase.quiet)
        _ = try await holder.run([Statement("select pg_advisory_lock($1)", [.int(key)])])
        return Barrier(holder: holder)
    }

    func lower() {
        holder.close()
    }

    private init(holder: DedicatedConnection) {
        self.holder = holder
    }
}

extension ConnectionPool {
    /// One statement, one answer.
    @discardableResult
    func query(_ sql: String, _ parameters: Parameter...) async throws(DatabaseError) -> Rows {
        let rows = try await run([Statement(sql, parameters)])
        guard let first = rows.first else { throw DatabaseError(.decoding) }
        return first
    }
}

/// The error of a call that must fail.
func failure<Value>(_ body: () async throws(DatabaseError) -> Value) async -> DatabaseError? {
    do {
        _ = try await body()
        return nil
    } catch {
        return error
    }
}

/// Looks again and again until the condition holds; false when the limit passes first.
func eventually(within limit: Duration = .seconds(10), _ condition: () async throws -> Bool) async rethrows -> Bool {
    let deadline = ContinuousClock.now + limit
    repeat {
        if try await condition() { return true }
        try? await Task.sleep(for: .milliseconds(5))
    } while ContinuousClock.now < deadline
    return false
}
