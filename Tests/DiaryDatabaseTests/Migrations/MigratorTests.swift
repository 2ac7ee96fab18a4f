import Foundation
import PostgresClient
import TestDatabases
import TestSupport
import Testing

@testable import DiaryDatabase

@Suite("Migrator", .timeLimit(.minutes(2)))
struct MigratorTests {
    /// A folder of migration files, removed after the test.
    final class Folder {
        let path: String

        init(_ files: [String: String]) throws {
            path = FileManager.default.temporaryDirectory.appendingPathComponent("mig-" + UUID().uuidString).path
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
            for (name, sql) in files { try write(name, sql) }
        }

        deinit {
            try? FileManager.default.removeItem(atPath: path)
        }

        func write(_ name: String, _ sql: String) throws {
            try Data(sql.utf8).write(to: URL(fileURLWithPath: path + "/" + name))
        }

        func remove(_ name: String) throws {
            try FileManager.default.removeItem(atPath: path + "/" + name)
        }
    }

    private static let two = [
        "0001_words.sql": "-- words\ncreate table words (w text);\ninsert into words values ('eins; zwei');\n-- end",
        "0002_more.sql": "create table more (n int)",
        "README.md": "not a migration",
    ]

    private func failure(_ body: () async throws(MigrationError) -> Void) async -> MigrationError? {
        do {
            try await body()
            return nil
        } catch {
            return error
        }
    }

    private func migrator(_ database: TestDatabase, _ folder: Folder, lockDeadline: Duration = .seconds(60)) -> Migrator {
        Migrator(connection: database.settings(), directory: folder.path, lockDeadline: lockDeadline, logger: .quiet)
    }

    @Test("pending files are applied once, in order, and shown as applied")
    func up() async throws {
        let database = try await TestDatabase.make()
        let folder = try Folder(Self.two)
        let migrator = migrator(database, folder)
        #expect(try await migrator.status().map(\.state) == [.pending, .pending])
        #expect(await failure { () throws(MigrationError) in try await migrator.verify() } == .pending(numbers: [1, 2]))

        let first = try await migrator.up()
        let second = try await migrator.up()

        #expect(first == [Migration(number: 1, name: "words"), Migration(number: 2, name: "more")])
        #expect(second.isEmpty)
        #expect(try await migrator.status().map(\.state) == [.applied, .applied])
        try await migrator.verify()
        #expect(try await database.sql("select w from words") == "eins; zwei")
        #expect(try await database.sql("select number, name, length(sha256) from schema_migrations order by 1") == "1|words|64\n2|more|64")
    }

    @Test("two processes that start together apply once (A19)")
    func race() async throws {
        let database = try await TestDatabase.make()
        let folder = try Folder(["0001_slow.sql": "select pg_sleep(0.2); create table t (n int); insert into t values (1)"])
        let migrators = (0..<6).map { _ in migrator(database, folder) }

        let applied = try await withThrowingTaskGroup(of: Int.self) { group in
            for migrator in migrators { group.addTask { try await migrator.up().count } }
            return try await group.reduce(0, +)
        }

        #expect(applied == 1)
        #expect(try await database.sql("select count(*) from t") == "1")
    }

    @Test("another process that holds the lock too long is a timeout")
    func lockDeadline() async throws {
        let database = try await TestDatabase.make()
        let folder = try Folder(Self.two)
        let holder = try DedicatedConnection(database.settings(), logger: .quiet)
        _ = try await holder.run([Statement("select pg_advisory_lock($1)", [.int(0x64_69_61_72_79)])])

        let error = await failure { () throws(MigrationError) in
            try await migrator(database, folder, lockDeadline: .milliseconds(100)).up()
        }

        guard case .database(let cause) = error else { throw try #require(error) }
        #expect(cause.kind == .timeout)
        holder.close()
    }

    @Test("a file that fails changes nothing, the error gives its line, and the next run continues there (A19)")
    func brokenFile() async throws {
        let database = try await TestDatabase.make()
        let folder = try Folder(Self.two)
        try folder.write("0002_more.sql", "create table more (n int);\n-- ü\ninsert into more\n  select wrong;")

        let error = await failure { () throws(MigrationError) in try await migrator(database, folder).up() }

        guard case .failed(2, "more", 4, let cause) = error else { throw try #require(error) }
        #expect(cause.sqlstate == "42703")
        #expect(try await database.sql("select to_regclass('more') is null, count(*) from schema_migrations") == "t|1")
        try folder.write("0002_more.sql", "create table more (n int)")
        #expect(try await migrator(database, folder).up().map(\.number) == [2])
    }

    @Test("killed in the middle of a file, the next run succeeds (A19)")
    func killed() async throws {
        let database = try await TestDatabase.make()
        let folder = try Folder(["0001_slow.sql": "create table t (n int); select pg_sleep(20); insert into t values (1)"])
        let migrator = migrator(database, folder)

        let run = Task { await failure { () throws(MigrationError) in try await migrator.up() } }
        #expect(
            try await eventually {
                try await database.sql(
                    "select count(pg_terminate_backend(pid)) from pg_stat_activity where datname = '\(database.name)' and wait_event = 'PgSleep'"
                ) == "1"
            })
        guard case .failed(1, _, _, let cause) = await run.value else {
            Issue.record("the killed run did not fail")
            return
        }
        #expect(cause.kind == .unavailable)
        try folder.write("0001_slow.sql", "create table t (n int); insert into t values (1)")

        #expect(try await migrator.up().count == 1)
    }

    @Test("a changed file and a gap are refused before any change; in a newer database nothing is pending")
    func refusals() async throws {
        let database = try await TestDatabase.make()
        let folder = try Folder(Self.two)
        let migrator = migrator(database, folder)
        try await migrator.up()

        try folder.write("0001_words.sql", "create table words (w text) -- changed")
        try folder.write("0003_third.sql", "create table third (n int)")
        #expect(await failure { () throws(MigrationError) in try await migrator.up() } == .changed(number: 1, name: "words"))
        #expect(
            await failure { () throws(MigrationError) in try await migrator.verify(allowingNewer: true) }
                == .changed(number: 1, name: "words"))
        #expect(try await migrator.status().map(\.state) == [.changed, .applied, .pending])
        #expect(try await database.sql("select to_regclass('third') is null") == "t")

        try folder.write("0001_words.sql", try #require(Self.two["0001_words.sql"]))
        try folder.remove("0003_third.sql")
        try folder.remove("0002_more.sql")
        #expect(try await migrator.up().isEmpty)
        #expect(await failure { () throws(MigrationError) in try await migrator.verify() } == .newer(number: 2, name: "more"))
        try await migrator.verify(allowingNewer: true)
        #expect(try await migrator.status().map(\.state) == [.applied, .missing])

        try await database.sql("update schema_migrations set number = 3, name = 'odd' where number = 2")
        try folder.write("0002_more.sql", "select 1")
        try folder.write("0003_odd.sql", "create table odd (n int)")
        #expect(await failure { () throws(MigrationError) in try await migrator.up() } == .changed(number: 3, name: "odd"))
        try folder.write("0003_odd.sql", try #require(Self.two["0002_more.sql"]))
        #expect(await failure { () throws(MigrationError) in try await migrator.up() } == .gap(number: 2))
    }

    @Test(
        "names, numbers and folders that are not in order are refused",
        arguments: [
            (["0001_a.sql", "0003_b.sql"], MigrationError.gap(number: 2)),
            (["0002_a.sql"], .gap(number: 1)),
            (["0001_a.sql", "0001_b.sql"], .duplicate(number: 1)),
            (["001_a.sql"], .badName("001_a.sql")),
            (["0001_A.sql"], .badName("0001_A.sql")),
            (["0001_o'clock.sql"], .badName("0001_o'clock.sql")),
            (["0000_a.sql"], .badName("0000_a.sql")),
        ])
    func names(files: [String], expected: MigrationError) async throws {
        let folder = try Folder(Dictionary(uniqueKeysWithValues: files.map { ($0, "select 1") }))
        let migrator = Migrator(
            connection: ConnectionSettings(conninfo: "host=/nonexistent"), directory: folder.path, logger: .quiet)

        #expect(await failure { () throws(MigrationError) in try await migrator.up() } == expected)
    }

    @Test("a missing folder and an unreachable server are different errors")
    func absent() async throws {
        let folder = try Folder(Self.two)
        let nowhere = Migrator(
            connection: ConnectionSettings(conninfo: "host=/nonexistent"), directory: "/nonexistent/m", logger: .quiet)
        let down = Migrator(
            connection: ConnectionSettings(conninfo: "host=/nonexistent"), directory: folder.path, logger: .quiet)

        #expect(await failure { () throws(MigrationError) in try await nowhere.up() } == .unreadable(path: "/nonexistent/m"))
        #expect(await failure { () throws(MigrationError) in try await down.up() } == .database(DatabaseError(.unavailable)))
    }
}
