import DiaryCrypto
import Foundation
import PostgresClient
import TestDatabases
import Testing

@testable import DiaryCore
@testable import DiaryDatabase

@Suite("Engines and secrets of apps", .timeLimit(.minutes(1)))
struct EngineStoreTests {
    private struct Fixture {
        let database: MigratedDatabase
        let person: Person
        let slug: String
        let administration: PostgresEngineAdministration
        let store: PostgresEngineStore

        var tenant: TenantID { person.member.tenant }

        static func make() async throws -> Fixture {
            let database = try await MigratedDatabase.shared()
            let person = try await Person.make(in: database)
            return Fixture(
                database: database, person: person, slug: "t" + person.member.tenant.description.replacing("-", with: ""),
                administration: PostgresEngineAdministration(pool: try database.pool(.admin)),
                store: PostgresEngineStore(pool: try database.pool(.worker)))
        }

        func set(_ name: String, _ stage: EngineStage = .speech, at position: Int? = nil) async throws -> [String]? {
            try await administration.set(
                EngineSettings(name: name, stage: stage, kind: .local), at: position, of: slug, by: "anna")?.map(\.name)
        }

        func secret(_ name: String, _ masterID: String, _ byte: UInt8) -> StoredAppSecret {
            StoredAppSecret(tenant: tenant, name: name, masterID: masterID, sealed: [byte], setAt: .now)
        }
    }

    @Test("every setting of an engine comes back to the worker; engines of another version are left out")
    func roundTrip() async throws {
        let it = try await Fixture.make()
        let engine = EngineSettings(
            name: "cloud", stage: .speech, kind: .openai, url: "https://a.example/v1", model: "m/1", secret: "key", command: ["/x", "-y"],
            timeoutSeconds: 7, slots: 3, price: EnginePrice(perMinute: 1, perMillionInputTokens: 2, perMillionOutputTokens: 3),
            afterFailure: .wait, isLocal: true)

        #expect(try await it.administration.set(engine, at: nil, of: it.slug, by: "anna") == [engine])
        #expect(try await it.set("rules", .text) == ["rules"])
        #expect(try await it.store.chains(of: it.tenant).engines.map(\.name) == ["cloud", "rules"])
        #expect(try await it.store.chains(of: it.tenant).engines(of: .speech) == [engine])
        #expect(try await it.administration.engines(of: it.slug)?.count == 2)

        try await it.database.change(
            "update app_engines set kind = 'telepathy' where tenant_id = $1 and name = 'rules'", .uuid(it.tenant.uuid))
        #expect(try await it.store.chains(of: it.tenant).engines == [engine])
    }

    @Test("an engine comes to stand at the position that is asked for, whichever way it moves, and keeps it without one")
    func positions() async throws {
        let it = try await Fixture.make()
        for name in ["a", "b", "c"] { _ = try await it.set(name) }

        #expect(try await it.set("a", at: 3) == ["b", "c", "a"])
        #expect(try await it.set("a", at: 2) == ["b", "a", "c"])
        #expect(try await it.set("a") == ["b", "a", "c"])
        #expect(try await it.set("d", at: 1) == ["d", "b", "a", "c"])
        #expect(try await it.set("e", at: 99) == ["d", "b", "a", "c", "e"])
        #expect(
            try await it.administration.order(["a", "b", "c", "d", "e"], .speech, of: it.slug, by: "bo")?.map(\.name) == [
                "a", "b", "c", "d", "e",
            ])
        for wrong in [["a", "b", "c", "d"], ["a", "b", "c", "d", "d"], ["a", "b", "c", "d", "x"], []] {
            #expect(try await it.administration.order(wrong, .speech, of: it.slug, by: "bo")?.map(\.name) == ["a", "b", "c", "d", "e"])
        }
        #expect(try await it.administration.unset("c", .speech, of: it.slug, by: "bo")?.map(\.name) == ["a", "b", "d", "e"])
        #expect(try await it.administration.unset("c", .speech, of: it.slug, by: "bo")?.count == 4)
        #expect(try await it.set("f", at: 4) == ["a", "b", "d", "f", "e"])
        // What changed something is recorded once, with its name and without its settings.
        let tenants = PostgresTenantAdministration(pool: try it.database.pool(.admin))
        let acts = try await tenants.acts(on: it.slug, limit: 20)
        #expect(acts.prefix(3).map(\.settings) == [["engines.speech.f"], ["engines.speech.c"], ["engines.speech"]])
        #expect(acts.count == 11 && acts.allSatisfy { $0.kind == .changed })
    }

    @Test("an app that is not there has no engines and gets none")
    func unknown() async throws {
        let it = try await Fixture.make()
        let engine = EngineSettings(name: "a", stage: .speech, kind: .local)

        #expect(try await it.administration.engines(of: "no-such-app") == nil)
        #expect(try await it.administration.set(engine, at: 1, of: "no-such-app", by: "bo") == nil)
        #expect(try await it.administration.unset("a", .speech, of: "no-such-app", by: "bo") == nil)
        #expect(try await it.administration.secrets(of: "no-such-app") == nil)
        #expect(try await !it.administration.unset(secret: "a", of: "no-such-app", by: "bo"))
    }

    @Test("chains of an app that are changed by many at once keep positions without gaps")
    func atOnce() async throws {
        let it = try await Fixture.make()

        _ = try await parallel(8) { number in try await it.set("e\(number)", at: 1) }

        let places = try await it.database.text(
            "select string_agg(position::text, ',' order by position) from app_engines where tenant_id = $1", .uuid(it.tenant.uuid))
        #expect(places == "1,2,3,4,5,6,7,8")
    }

    @Test("a secret is replaced, listed without its value, and gone after unset; the administrator cannot read what is sealed")
    func secrets() async throws {
        let it = try await Fixture.make()
        try await it.administration.set(it.secret("key", "m1", 1), by: "anna")
        try await it.administration.set(it.secret("key", "m2", 2), by: "anna")

        #expect(try await it.administration.secrets(of: it.slug)?.map(\.name) == ["key"])
        let stored = try #require(try await it.store.chains(of: it.tenant).secrets["key"])
        #expect(stored.sealed == [2] && stored.masterID == "m2" && stored.tenant == it.tenant)
        #expect(try await it.store.secret("key", of: it.tenant) == stored)
        #expect(try await it.store.secret("other", of: it.tenant) == nil)
        #expect(try await it.store.secret("key", of: try await Fixture.make().tenant) == nil, "of another app")
        for sql in [
            "select sealed from app_secrets", "select * from app_secrets",
            "update app_secrets set name = 'x' where sealed = '\\x02' returning sealed",
        ] {
            let pool = try it.database.pool(.admin)
            #expect(await failure { () throws(DatabaseError) in try await pool.run([Statement(sql)]) }?.sqlstate == "42501", "\(sql)")
        }
        let refused: [(MigratedDatabase.Role, String)] = [
            (.api, "select name from app_secrets"), (.auth, "select name from app_engines"), (.api, "select url from app_engines"),
            (.worker, "delete from app_engines"), (.worker, "update app_secrets set sealed = sealed"),
        ]
        for (role, sql) in refused {
            let pool = try it.database.pool(role)
            #expect(await failure { () throws(DatabaseError) in try await pool.run([Statement(sql)]) }?.sqlstate == "42501", "\(sql)")
        }
        #expect(try await it.administration.unset(secret: "key", of: it.slug, by: "bo"))
        #expect(try await it.store.chains(of: it.tenant).secrets.isEmpty)
        #expect(try await !it.administration.unset(secret: "key", of: it.slug, by: "bo"))
    }

    @Test("rewrapping reads other masters' secrets of every app in pages, and sets one only as it was read")
    func rewrapping() async throws {
        let database = try await MigratedDatabase.make()
        let administration = PostgresEngineAdministration(pool: try database.pool(.admin))
        for number in 0..<3 {
            let tenant = try await Person.make(in: database).member.tenant
            for name in ["a", "b"] {
                let secret = StoredAppSecret(
                    tenant: tenant, name: name, masterID: number == 0 ? "new" : "old", sealed: [UInt8(number)], setAt: .now)
                try await administration.set(secret, by: "anna")
            }
        }
        #expect(try await administration.secretsByMaster() == ["new": 2, "old": 4])

        var seen: [StoredAppSecret] = []
        while true {
            let page = try await administration.secrets(notUnder: "new", after: seen.last, limit: 3)
            if page.isEmpty { break }
            seen += page
            try #require(seen.count <= 4)
        }
        #expect(seen.count == 4)
        let first = try #require(seen.first)
        var new = first
        (new.masterID, new.sealed) = ("new", [9])
        var other = first
        other.sealed = [8]
        #expect(try await !administration.rewrap(other, to: new))
        #expect(try await administration.rewrap(first, to: new))
        #expect(try await !administration.rewrap(first, to: new))
        #expect(try await administration.secretsByMaster() == ["new": 3, "old": 3])
    }

    @Test("the API sees names and kinds in their order, the service's for a stage without engines, and a change at its notice")
    func directory() async throws {
        let it = try await Fixture.make()
        let service = EngineOffer(speech: [.init(name: "local", kind: .local)], text: [.init(name: "rules", kind: .local)])
        let directory = PostgresEngineDirectory(
            pool: try it.database.pool(.api), service: service, localLanguages: SpeechLanguages(["en"]), freshFor: .seconds(3_600))
        #expect(try await directory.offer(of: nil) == service)
        #expect(try await directory.offer(of: it.tenant) == service)

        for name in ["b", "a"] { _ = try await it.set(name) }
        #expect(try await directory.offer(of: it.tenant) == service)
        directory.refresh()
        #expect(try await directory.offer(of: it.tenant).speech == [.init(name: "b", kind: .local), .init(name: "a", kind: .local)])
        #expect(try await directory.offer(of: it.tenant).text == service.text)
    }

    @Test("an account's choice is stored, cleared and read by the worker, and changes the profile's version")
    func choice() async throws {
        let it = try await Fixture.make()
        let profiles = PostgresProfileStore(pool: try it.database.pool(.api))
        func change(_ edit: (inout ProfilePatch) -> Void) async throws -> StoredProfile? {
            var patch = ProfilePatch.unchanged
            edit(&patch)
            let stored = StoredProfilePatch(nameSealed: .absent, rest: patch)
            guard case .changed(let profile) = try await profiles.change(stored, matching: nil, keyID: nil, by: it.person.member) else {
                return nil
            }
            return profile
        }
        let before = try await profiles.profile(of: it.person.member)
        #expect(before.preferences.engines == EngineChoice())

        let chosen = try #require(try await change { ($0.speechEngine, $0.textEngine) = (.set("cloud"), .set("rules")) })
        #expect(chosen.preferences.engines == EngineChoice(speech: "cloud", text: "rules") && chosen.version != before.version)
        #expect(try await it.store.choice(of: it.person.owner) == EngineChoice(speech: "cloud", text: "rules"))
        _ = try await change { $0.speechEngine = .clear }
        #expect(try await it.store.choice(of: it.person.owner) == EngineChoice(text: "rules"))
        #expect(try await change { $0.textEngine = .clear }?.version == before.version)
    }
}
