import Foundation
import PostgresClient
import Synchronization
import TestDatabases
import TestServers
import TestSupport

@testable import DiaryDatabase

/// A main database and a key database with the schema of `migrations/`, copied from a template that is migrated once per test process.
final class MigratedDatabase: Sendable {
    enum Role: String, CaseIterable {
        case superuser = "postgres"
        case owner = "diary_owner"
        case api = "diary_api"
        case auth = "diary_auth"
        case worker = "diary_worker"
        case admin = "diary_admin"
        case backup = "diary_backup"
    }

    let server: PrivatePostgres
    let main: String
    let keys: String
    /// As the superuser, which bypasses row-level security; tests prepare and inspect rows with it.
    let superuser: ConnectionPool
    let keySuperuser: ConnectionPool
    /// One pool per role for all tests of this database, because tests share the server's connections.
    private let pools = Mutex<[String: ConnectionPool]>([:])

    private init(server: PrivatePostgres, main: String, keys: String) throws {
        self.server = server
        self.main = main
        self.keys = keys
        superuser = try Self.connect(server, main, .superuser, size: 2)
        keySuperuser = try Self.connect(server, keys, .superuser, size: 1)
    }

    private struct Template {
        let server: PrivatePostgres
        let main: String
        let keys: String
    }

    /// A task, so that all callers await one run.
    private static let template = Task { () async throws -> Template in
        let server = try await PrivatePostgres.shared()
        try await server.sql(try String(contentsOfFile: migrations + "/roles.sql", encoding: .utf8))
        let names = (main: try await server.newDatabase(owner: "diary_owner"), keys: try await server.newDatabase(owner: "diary_owner"))
        for (name, folder) in [(names.main, "main"), (names.keys, "keys")] {
            try await server.sql("alter schema public owner to diary_owner", database: name)
            let connection = ConnectionSettings(conninfo: server.conninfo(database: name, user: "diary_owner"))
            try await Migrator(connection: connection, directory: migrations + "/" + folder, logger: .quiet).up()
        }
        return Template(server: server, main: names.main, keys: names.keys)
    }

    /// Next to `Tests`.
    static let migrations =
        (0..<4).reduce(URL(fileURLWithPath: #filePath)) { url, _ in url.deletingLastPathComponent() }.path + "/migrations"

    /// Shared by tests that look only at rows of their own users.
    static func shared() async throws -> MigratedDatabase { try await common.value }

    private static let common = Task { () async throws -> MigratedDatabase in try await make() }

    /// A separate database, for tests that claim jobs, sweep, or count rows of all users.
    static func make() async throws -> MigratedDatabase {
        let template = try await template.value
        func name() -> String { "t_" + UUID().uuidString.lowercased().replacing("-", with: "") }
        func copy(_ source: String, to name: String) -> String {
            "create database \"\(name)\" template \"\(source)\" strategy file_copy owner diary_owner"
        }
        // A session that has just ended may still be seen on a template for a moment.
        var failure: any Error = PrivatePostgres.Failure.notOurs
        for _ in 0..<20 {
            let (main, keys) = (name(), name())
            do {
                // By one psql, whose start takes as long as a copy.
                try await template.server.sql(copy(template.main, to: main), copy(template.keys, to: keys))
                return try MigratedDatabase(server: template.server, main: main, keys: keys)
            } catch { failure = error }
        }
        throw failure
    }

    func settings(_ role: Role) -> ConnectionSettings {
        ConnectionSettings(
            conninfo: server.conninfo(database: main, user: role.rawValue), applicationName: "test", statementTimeout: .seconds(20))
    }

    func pool(_ role: Role) throws -> ConnectionPool { try pool(main, role, size: 4) }

    func keyPool(_ role: Role) throws -> ConnectionPool { try pool(keys, role, size: 1) }

    private func pool(_ name: String, _ role: Role, size: Int) throws -> ConnectionPool {
        try pools.withLock { pools in
            if let pool = pools[name + role.rawValue] { return pool }
            let pool = try Self.connect(server, name, role, size: size)
            pools[name + role.rawValue] = pool
            return pool
        }
    }

    private static func connect(_ server: PrivatePostgres, _ name: String, _ role: Role, size: Int) throws -> ConnectionPool {
        try ConnectionPool(
            ConnectionPool.Configuration(
                connection: ConnectionSettings(
                    conninfo: server.conninfo(database: name, user: role.rawValue), statementTimeout: .seconds(20)),
                size: size, checkoutDeadline: .seconds(60)),
            logger: .quiet)
    }

    /// One number or text, as the superuser.
    func int(_ sql: String, _ parameters: Parameter...) async throws -> Int64 {
        let rows = try await superuser.run([Statement(sql, parameters)])
        return try rows.first(0)?.int(0) ?? -1
    }

    func text(_ sql: String, _ parameters: Parameter...) async throws -> String? {
        let rows = try await superuser.run([Statement(sql, parameters)])
        return try rows.first(0)?.textOrNil(0)
    }

    @discardableResult
    func change(_ sql: String, _ parameters: Parameter...) async throws -> Int {
        try await superuser.run([Statement(sql, parameters)])[0].affected
    }
}

extension MigratedDatabase {
    /// A session with an open transaction in which a statement was run.
    func holding(_ statement: Statement) async throws -> DedicatedConnection {
        let holder = try DedicatedConnection(settings(.superuser), logger: .quiet)
        _ = try await holder.run([Statement("begin"), statement])
        return holder
    }

    /// Until a session waits for a lock that `holder` has.
    func untilBlocked(by holder: DedicatedConnection) async throws {
        guard let id = try await holder.run([Statement("select pg_backend_pid()")]).first(0)?.int(0) else { throw NotWhatWasExpected() }
        try await until(within: .seconds(20)) {
            try await int(
                "select count(*) from pg_stat_activity w where w.datname = current_database() and $1 = any (pg_blocking_pids(w.pid))",
                .int4(Int32(clamping: id))) > 0
        }
    }
}
