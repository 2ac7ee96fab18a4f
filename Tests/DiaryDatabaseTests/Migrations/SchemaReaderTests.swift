import PostgresClient
import TestDatabases
import TestSupport
import Testing

@testable import DiaryDatabase

@Suite("Schema of a database beside the program's", .timeLimit(.minutes(1)))
struct SchemaReaderTests {
    private let built = MigrationListing.built.migrations(of: .main)

    private func compare(_ applied: [AppliedMigration]) -> SchemaComparison { SchemaComparison(built: built, applied: applied) }

    @Test(
        "the roles that serve and work read it in both databases", arguments: MigratedSchema.allCases,
        [MigratedDatabase.Role.api, MigratedDatabase.Role.worker])
    func roles(schema: MigratedSchema, role: MigratedDatabase.Role) async throws {
        let database = try await MigratedDatabase.shared()
        let pool = try schema == .main ? database.pool(role) : database.keyPool(role)

        #expect(try await SchemaReader(schema, pool: pool).compare() == .current)
    }

    @Test("missing migrations make a schema older, more of them newer, another content a different one")
    func comparisons() throws {
        let last = try #require(built.last)
        let more = AppliedMigration(number: last.number + 1, name: "more", sha256: "00")
        let other = AppliedMigration(number: 1, name: built[0].name, sha256: "00")

        #expect(compare(built) == .current)
        #expect(compare(built + [more]) == .newer([Migration(number: more.number, name: "more")]))
        #expect(compare(built.dropLast()) == .older([Migration(number: last.number, name: last.name)]))
        #expect(compare(built.dropLast() + [more]) == .older([Migration(number: last.number, name: last.name)]))
        #expect(compare([other] + built.dropFirst()) == .different(Migration(number: 1, name: other.name)))
        #expect(compare([]).isUsable == false)
        #expect(compare(built + [more]).isUsable)
        #expect("\(compare(built.dropLast()))".contains("run `diary migrate up`"))
    }

    @Test("a database that was never migrated, or whose role lost the grant, is not usable; one that is away is an error")
    func unreadable() async throws {
        let empty = try await FreshDatabase.empty(.main)
        #expect(try await SchemaReader(.main, pool: try empty.pool(.api)).compare() == .unreadable(sqlstate: "42P01"))

        let migrated = try await FreshDatabase.migrated(.keys)
        try await migrated.sql("revoke select on schema_migrations from diary_worker")
        #expect(try await SchemaReader(.keys, pool: try migrated.pool(.worker)).compare() == .unreadable(sqlstate: "42501"))

        let away = try ConnectionPool(
            ConnectionPool.Configuration(
                connection: ConnectionSettings(conninfo: "host=/nonexistent"), size: 1, checkoutDeadline: .milliseconds(100)),
            logger: .quiet)
        let error = await failure { () throws(DatabaseError) in try await SchemaReader(.main, pool: away).compare() }
        #expect(error?.retryable == true)
    }
}
