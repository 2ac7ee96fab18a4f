import DiaryCrypto
import Foundation
import PostgresClient
import TestDatabases
import Testing

@testable import DiaryCore
@testable import DiaryDatabase

@Suite("User administration", .timeLimit(.minutes(1)))
struct UserAdministrationTests {
    private static func make() async throws -> (Person, MigratedDatabase, PostgresUserAdministration) {
        let database = try await MigratedDatabase.shared()
        return (try await Person.make(in: database), database, PostgresUserAdministration(pool: try database.pool(.admin)))
    }

    @Test("an account is found by its address in its own app alone, and reported as times and counts")
    func shown() async throws {
        let (person, database, users) = try await Self.make()
        let other = try await Person.make(in: database)
        _ = try await PostgresEntryStore(pool: try database.pool(.api)).create(person.text(), by: person.member)

        let overview = try #require(try await users.overview(person.owner))

        #expect(try await users.user(address: person.emailHash, in: person.member.tenant) == person.member.user)
        #expect(try await users.user(address: person.emailHash, in: other.member.tenant) == nil)
        #expect(overview.entries == 1 && overview.liveSessions == 1 && overview.signInMethods == ["email"] && overview.disabledAt == nil)
        #expect(try await users.overview(Owner(tenant: other.member.tenant, user: person.member.user)) == nil)
    }

    @Test("B15: disabling ends every session and lets none begin, by whatever statement; enabling reopens none")
    func disabled() async throws {
        let (person, database, users) = try await Self.make()
        let entries = PostgresEntryStore(pool: try database.pool(.api))
        let insert = Statement(
            """
            insert into sessions (tenant_id, user_id, id, expires_at, idle_expires_at, refresh_number, refresh_hash)
            values ($1, $2, gen_random_uuid(), clock_timestamp() + interval '1 day', clock_timestamp() + interval '1 day', 1, 'x')
            """, person.owner.parameters)

        #expect(try await users.setDisabled(person.owner, true, by: "anna"))
        let refused = await failure { () throws(DatabaseError) in _ = try await database.superuser.run([insert]) }
        let ended = await #expect(throws: DiaryError.self) { try await entries.entry(EntryID(UUIDv7.make()), of: person.member) }
        #expect(try await users.setDisabled(person.owner, false, by: "anna"))
        _ = try await database.superuser.run([insert])

        #expect(refused?.kind == .raised(code: "DI401"))
        #expect(ended?.code == .unauthorized)
        await #expect(throws: DiaryError.self) { try await entries.entry(EntryID(UUIDv7.make()), of: person.member) }
        #expect(try await users.setDisabled(Owner(tenant: person.member.tenant, user: UserID(UUID())), true, by: "anna") == false)
    }

    @Test("one session or all end, of this account alone, and the account's events record it")
    func sessions() async throws {
        let (person, database, users) = try await Self.make()
        let other = try await Person.make(in: database, tenant: person.member.tenant)

        #expect(try await users.revokeSessions(person.owner, other.member.session, by: "anna") == 0)
        #expect(try await users.revokeSessions(person.owner, person.member.session, by: "anna") == 1)
        #expect(try await users.revokeSessions(person.owner, nil, by: "anna") == 0)

        #expect(try await users.overview(other.owner)?.liveSessions == 1)
        let events = try await database.superuser.run([
            Statement("select kind, actor from audit_events where tenant_id = $1 and user_id = $2", person.owner.parameters)
        ])[0].map { try $0.text(0) + " " + $0.text(1) }
        #expect(events == ["session_revoked admin"])
    }

    @Test("what changed an account is recorded with the operator, once, in its own app; a change without effect is not")
    func acts() async throws {
        let (person, database, users) = try await Self.make()
        let other = try await Person.make(in: database)
        let unknown = Owner(tenant: person.member.tenant, user: UserID(UUID()))

        for name in ["anna", "bo"] { _ = try await users.setDisabled(person.owner, true, by: name) }
        for name in ["cleo", "dan"] { _ = try await users.setDisabled(person.owner, false, by: name) }
        _ = try await users.setDisabled(unknown, true, by: "eve")
        _ = try await users.revokeSessions(person.owner, nil, by: "finn")
        _ = try await users.revokeSessions(other.owner, other.member.session, by: "gro")
        for name in ["hal", "ida"] { _ = try await users.requestErasure(person.owner, Self.deletion(), by: name) }

        #expect(try await Self.acts(on: person, database) == ["user_disabled anna", "user_enabled cleo", "user_erased hal"])
        #expect(try await Self.acts(on: other, database) == ["sessions_revoked gro"])
    }

    @Test("an administrator's erasure is among the account's events; one of a whole app is not recorded per account")
    func erased() async throws {
        let (person, database, users) = try await Self.make()

        #expect(try await users.requestErasure(person.owner, Self.deletion(), by: nil))
        #expect(try await users.requestErasure(person.owner, Self.deletion(), by: nil) == false)

        #expect(try await Self.acts(on: person, database).isEmpty)
        let events = try await database.superuser.run([
            Statement("select kind, actor from audit_events where tenant_id = $1 and user_id = $2", person.owner.parameters)
        ])[0].map { try $0.text(0) + " " + $0.text(1) }
        #expect(events == ["erasure_requested admin"])
    }

    private static func deletion() -> NewDeletion {
        NewDeletion(id: DeletionID(UUIDv7.make()), receiptHash: SecureRandom.bytes(32), subjectSealed: [1, 2], uploadSeconds: 60)
    }

    /// Of the app of this person, oldest first.
    private static func acts(on person: Person, _ database: MigratedDatabase) async throws -> [String] {
        let slug = "t" + person.member.tenant.description.replacing("-", with: "")
        let acts = try await PostgresTenantAdministration(pool: try database.pool(.admin)).acts(on: slug, limit: 10)
        return acts.reversed().map { "\($0.kind.rawValue) \($0.operator)" }
    }
}
