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
        #expect(store.known(AppReference(slug: slug))?.id == person.member.tenant)
        #expect(store.known(AppReference(slug: "no-such-app")) == nil)
    }

    @Test("an app that was created after the last reading is found by its id at once")
    func created() async throws {
        let (_, database, _, slug) = try await Self.make()
        let store = PostgresTenantStore(pool: try database.pool(.auth), freshFor: .seconds(3_600))
        #expect(try await store.tenant(slug: slug) != nil)

        let later = try await Person.make(in: database)

        #expect(try await store.tenant(id: later.member.tenant)?.id == later.member.tenant)
        #expect(try await store.tenant(id: TenantID(UUIDv7.make())) == nil)
    }

    @Test("one app at most is the default; an unknown app changes nothing")
    func defaults() async throws {
        let database = try await MigratedDatabase.make()
        let tenants = PostgresTenantAdministration(pool: try database.pool(.admin))
        let slugs = ["first-app", "second-app"]
        for slug in slugs {
            let tenant = Tenant(
                id: TenantID(UUIDv7.make()), slug: slug, name: slug, mailFromName: slug, mailFromAddress: "a@example.org", createdAt: .now,
                suspendedAt: nil)
            #expect(try await tenants.create(tenant, by: "anna"))
        }
        func marked() async throws -> [String] { try await tenants.all().filter(\.isDefault).map(\.slug) }

        #expect(try await marked().isEmpty)
        for slug in slugs {
            #expect(try await tenants.setDefault(slug, true, by: "bo"))
            #expect(try await marked() == [slug])
        }
        #expect(try await !tenants.setDefault("no-such-app", true, by: "bo"))
        #expect(try await tenants.setDefault("first-app", false, by: "bo"))
        #expect(try await marked() == ["second-app"])
        #expect(try await tenants.setDefault("second-app", false, by: "bo"))
        #expect(try await marked().isEmpty)
        #expect(try await tenants.acts(on: "second-app", limit: 10).map(\.settings) == [["default"], ["default"], []])
    }

    @Test("the origins of an app are its own, without an app those of all, and a change is seen when the cache is read again")
    func origins() async throws {
        let (person, database, tenants, slug) = try await Self.make()
        let store = PostgresTenantStore(pool: try database.pool(.auth), freshFor: .seconds(3_600))
        // An origin that no other test's app has.
        let origin = "https://\(slug).example"
        #expect(store.knownOrigins.isEmpty)
        #expect(await store.origins(of: person.member.tenant).isEmpty)
        var configuration = TenantConfiguration()
        try configuration.set("cors_origins", to: origin)

        _ = try await tenants.change(slug, TenantChange(configured: configuration), .changed, by: "bo")
        #expect(await store.origins(of: person.member.tenant).isEmpty)
        await store.refresh()

        #expect(await store.origins(of: person.member.tenant) == [origin])
        #expect(await store.origins(of: nil).contains(origin))
        #expect(store.knownOrigins.contains(origin))
        #expect(await store.origins(of: TenantID(UUIDv7.make())).isEmpty)
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
