import DiaryCore
import Foundation
import PostgresClient
import Testing

@testable import DiaryDatabase

@Suite("Tenant administration", .timeLimit(.minutes(1)))
struct TenantAdministrationTests {
    private static func make() async throws -> (Person, MigratedDatabase, PostgresTenantAdministration, slug: String) {
        let database = try await MigratedDatabase.shared()
        let person = try await Person.make(in: database)
        let slug = "t" + person.member.tenant.description.replacing("-", with: "")
        return (person, database, PostgresTenantAdministration(pool: try database.pool(.admin)), slug)
    }

    @Test("settings are set and unset together with the record of the operator; another app keeps its own")
    func settings() async throws {
        let (_, database, tenants, slug) = try await Self.make()
        let (_, _, _, other) = try await Self.make()
        var configured = TenantConfiguration()
        try configured.set("limits.entries_per_day", to: "9")
        try configured.set("flags.beta", to: "true")

        _ = try await tenants.change(slug, TenantChange(name: "New", configured: configured), .changed, by: "anna")
        let changed = try await tenants.change(slug, TenantChange(unset: ["flags.beta"]), .changed, by: "bo")

        #expect(changed?.name == "New")
        #expect(changed?.configuration.values == ["limits.entries_per_day": .whole(9)])
        let acts = try await tenants.acts(on: slug, limit: 10)
        #expect(acts.map(\.operator) == ["bo", "anna"])
        #expect(acts.map(\.settings) == [["flags.beta"], ["flags.beta", "limits.entries_per_day"]])
        let store = PostgresTenantStore(pool: try database.pool(.auth))
        #expect(try await store.tenant(slug: other)?.configuration.values.isEmpty == true)
        #expect(try await tenants.change("no-such-app", TenantChange(name: "x"), .changed, by: "bo") == nil)
    }

    @Test("a store that is notified of a change reads it at once, and then answers without waiting")
    func refreshed() async throws {
        let (person, database, tenants, slug) = try await Self.make()
        let store = PostgresTenantStore(pool: try database.pool(.auth), freshFor: .seconds(3_600))
        #expect(store.known(person.member.tenant) == nil)
        #expect(try await store.tenant(slug: slug)?.suspendedAt == nil)

        _ = try await tenants.change(slug, TenantChange(suspended: true), .suspended, by: "bo")
        #expect(store.known(person.member.tenant)?.suspendedAt == nil)
        await store.refresh()

        #expect(store.known(person.member.tenant)?.suspendedAt != nil)
        #expect(store.known(slug: slug)?.id == person.member.tenant)
        #expect(store.known(slug: "no-such-app") == nil)
    }

    @Test("B15: while its app is suspended a session is refused, not ended")
    func suspended() async throws {
        let (person, database, tenants, slug) = try await Self.make()
        let entries = PostgresEntryStore(pool: try database.pool(.api))
        let id = EntryID(UUIDv7.make())

        _ = try await tenants.change(slug, TenantChange(suspended: true), .suspended, by: "bo")
        let refusal = await #expect(throws: DiaryError.self) { try await entries.entry(id, of: person.member) }
        _ = try await tenants.change(slug, TenantChange(suspended: false), .resumed, by: "bo")

        #expect(refusal?.code == .appSuspended)
        #expect(try await entries.entry(id, of: person.member) == nil)
    }

    @Test("deletions stay in the feed as long as the app has set", arguments: [(nil, 1), ("30", 0)])
    func tombstones(days: String?, left: Int64) async throws {
        let database = try await MigratedDatabase.make()
        let person = try await Person.make(in: database)
        let entries = PostgresEntryStore(pool: try database.pool(.api))
        let entry = person.text()
        _ = try await entries.create(entry, by: person.member)
        _ = try await entries.delete(entry.id, expecting: nil, keyID: person.keyID, by: person.member)
        try await database.change("update entries set deleted_at = deleted_at - interval '40 days'")
        let slug = "t" + person.member.tenant.description.replacing("-", with: "")
        if let days {
            var configured = TenantConfiguration()
            try configured.set("retention.tombstone_days", to: days)
            _ = try await PostgresTenantAdministration(pool: try database.pool(.admin)).change(
                slug, TenantChange(configured: configured), .changed, by: "bo")
        }

        _ = try await database.superuser.run([Statement("select sweep_tombstones(1000000)")])

        #expect(try await database.int("select count(*) from entries") == left)
    }
}
