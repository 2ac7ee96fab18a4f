import Foundation
import PostgresClient
import Testing

@testable import DiaryCore
@testable import DiaryDatabase

@Suite("Entry store", .timeLimit(.minutes(2)))
struct EntryStoreTests {
    // MARK: Create

    @Test(
        "50 parallel identical creates make one row and 50 equal answers, with an idempotency key and with a client's id (A7)",
        arguments: [true, false])
    func parallelCreates(withKey: Bool) async throws {
        let database = try await MigratedDatabase.shared()
        let person = try await Person.make(in: database)
        let store = PostgresEntryStore(pool: try database.pool(.api))
        let id = EntryID(UUIDv7.make())

        // With a key, the server makes a new id for each request; without one, the client's id is the key.
        let outcomes = try await parallel(50) { _ in
            try await store.create(person.voice(withKey ? EntryID(UUIDv7.make()) : id, idempotency: withKey ? [9] : nil), by: person.member)
        }

        #expect(outcomes.count { $0.name == "created" } == 1)
        #expect(outcomes.count { $0.name == "replayed" } == 49)
        #expect(Set(outcomes.compactMap { $0.entry?.facts.id }).count == 1)
        #expect(Set(outcomes.compactMap { $0.entry?.facts.changeNumber }) == [1])
        #expect(try await database.int("select count(*) from entries where user_id = $1", .uuid(person.owner.user.uuid)) == 1)
        #expect(try await database.int("select change_number from user_sync where user_id = $1", .uuid(person.owner.user.uuid)) >= 1)
    }

    @Test("a request that may not create repeats an earlier entry or is refused, with an idempotency key and with a client's id (A7)")
    func mayNotCreate() async throws {
        let database = try await MigratedDatabase.shared()
        let person = try await Person.make(in: database)
        let store = PostgresEntryStore(pool: try database.pool(.api))
        let (id, keyed) = (EntryID(UUIDv7.make()), EntryID(UUIDv7.make()))
        _ = try await store.create(person.text(id), by: person.member)
        _ = try await store.create(person.text(keyed, idempotency: [7]), by: person.member)
        func repeated(_ entry: NewEntry) async throws -> CreateOutcome {
            var entry = entry
            entry.mayCreate = false
            return try await store.create(entry, by: person.member)
        }

        #expect(try await repeated(person.text(id)).name == "replayed")
        #expect(try await repeated(person.text(idempotency: [7])).entry?.facts.id == keyed)
        #expect(try await repeated(person.text(request: [2], idempotency: [7])).name == "keyReused")
        for unknown in [person.text(), person.text(idempotency: [8])] {
            let refused = await #expect(throws: DiaryError.self) { try await repeated(unknown) }
            #expect(refused?.code == .rateLimited)
        }
        for table in ["entries", "idempotency_keys"] {
            let rows = try await database.int("select count(*) from \(table) where user_id = $1", .uuid(person.owner.user.uuid))
            #expect(rows == (table == "entries" ? 2 : 1))
        }
    }

    @Test(
        "the same key with another body is refused, also after the first one committed long ago; another member's same key is independent (A7)"
    )
    func keyReused() async throws {
        let database = try await MigratedDatabase.shared()
        let person = try await Person.make(in: database)
        let other = try await Person.make(in: database, tenant: person.owner.tenant)
        let store = PostgresEntryStore(pool: try database.pool(.api))

        let first = try await store.create(person.text(request: [1], idempotency: [9]), by: person.member)
        let changed = try await store.create(person.text(request: [2], idempotency: [9]), by: person.member)
        let others = try await store.create(other.text(request: [2], idempotency: [9]), by: other.member)

        #expect(first.name == "created")
        #expect(changed.name == "keyReused")
        #expect(others.name == "created")
    }

    @Test("an id that another request used is refused; the same request with it is a replay")
    func idTaken() async throws {
        let database = try await MigratedDatabase.shared()
        let person = try await Person.make(in: database)
        let store = PostgresEntryStore(pool: try database.pool(.api))
        let id = EntryID(UUIDv7.make())
        _ = try await store.create(person.text(id, request: [1]), by: person.member)

        #expect(try await store.create(person.text(id, request: [2]), by: person.member).name == "idTaken")
        #expect(try await store.create(person.text(id, request: [2], idempotency: [3]), by: person.member).name == "idTaken")
        #expect(try await store.create(person.text(id, request: [1]), by: person.member).name == "replayed")
        #expect(try await store.create(person.text(id, request: [1], idempotency: [4]), by: person.member).name == "replayed")
    }

    @Test("a deleted entry's id is never used again: its own request is told that it is deleted, another one that the id is taken")
    func deletedID() async throws {
        let database = try await MigratedDatabase.shared()
        let person = try await Person.make(in: database)
        let store = PostgresEntryStore(pool: try database.pool(.api))
        let id = EntryID(UUIDv7.make())
        _ = try await store.create(person.text(id, idempotency: [9]), by: person.member)
        _ = try await store.delete(id, expecting: nil, keyID: person.keyID, by: person.member)

        for key in [nil, [9], [8]] as [[UInt8]?] {
            #expect(try await store.create(person.text(id, idempotency: key), by: person.member).name == "deleted")
        }
        for key in [nil, [7]] as [[UInt8]?] {
            #expect(try await store.create(person.text(id, request: [2], idempotency: key), by: person.member).name == "idTaken")
        }
        #expect(try await store.entry(id, of: person.member) == nil)
    }

    @Test("when the row that conflicts with a creation is removed before it is read, the client is asked to retry (G5)")
    func goneBeforeRead() async throws {
        let fixture = try await WorkerFixture.make()
        let (person, id) = (fixture.person, EntryID(UUIDv7.make()))
        _ = try await fixture.entries.create(person.text(id), by: person.member)
        try await fixture.database.change(
            """
            create function vanish() returns trigger language plpgsql security definer as
                $$ begin delete from public.entries; return null; end $$
            """)
        try await fixture.database.change("create trigger vanish after insert on entries for each statement execute function vanish()")

        let refused = await refusal { () throws(DiaryError) in try await fixture.entries.create(person.text(id), by: person.member) }

        #expect(refused?.code == .unavailable && refused?.retryAfter != nil)
    }

    @Test("a feed whose account is erased after the session check is to be requested again (G5)")
    func goneBeforeFeed() async throws {
        let fixture = try await WorkerFixture.make()
        try await fixture.database.change("delete from user_sync")

        let refused = await refusal { () throws(DiaryError) in
            try await fixture.entries.changes(from: .beginning, limit: 5, of: fixture.person.member)
        }

        #expect(refused?.code == .unavailable && refused?.retryAfter != nil)
    }

    @Test("two members, and the same user id in two tenants, may use the same entry id")
    func sameID() async throws {
        let database = try await MigratedDatabase.shared()
        let a = try await Person.make(in: database)
        let people = [
            a, try await Person.make(in: database, tenant: a.owner.tenant), try await Person.make(in: database, user: a.owner.user),
        ]
        let store = PostgresEntryStore(pool: try database.pool(.api))
        let id = EntryID(UUIDv7.make())

        for person in people { #expect(try await store.create(person.text(id), by: person.member).name == "created") }
        _ = try await store.delete(id, expecting: nil, keyID: a.keyID, by: a.member)

        #expect(try await store.entry(id, of: a.member) == nil)
        for person in people.dropFirst() { #expect(try await store.entry(id, of: person.member)?.facts.id == id) }
    }

    @Test("content under a key that is no longer the live one is refused, and nothing is written (decision D15)")
    func deadKey() async throws {
        let database = try await MigratedDatabase.shared()
        let person = try await Person.make(in: database)
        let store = PostgresEntryStore(pool: try database.pool(.api))
        let id = EntryID(UUIDv7.make())
        _ = try await store.create(person.voice(id), by: person.member)
        let before = try await Dump.of(person.owner, in: database)
        var stale = person.text(idempotency: [1])
        stale.keyID = UUID()
        let doomed = stale

        #expect(await refusal { () throws(DiaryError) in try await store.create(doomed, by: person.member) }?.code == .unauthorized)
        #expect(
            await refusal { () throws(DiaryError) in
                try await store.rewritePersonal(
                    PersonalRewrite(id: id, sealed: SealedColumn(bytes: [1], version: 2), expecting: 1), keyID: UUID(), by: person.member)
            }?.code == .unauthorized)
        #expect(
            await refusal { () throws(DiaryError) in try await store.delete(id, expecting: nil, keyID: UUID(), by: person.member) }?.code
                == .unauthorized)
        #expect(
            await refusal { () throws(DiaryError) in
                try await store.completeUpload(id, size: 1, keyID: UUID(), job: NewJob(.verify), by: person.member)
            }?.code == .unauthorized)
        #expect(try await Dump.of(person.owner, in: database) == before)
    }

    // MARK: Sessions

    @Test("an unknown, revoked or expired session, another user's, and a deleted user's are unauthorized in every call")
    func sessions() async throws {
        let database = try await MigratedDatabase.shared()
        let a = try await Person.make(in: database)
        let b = try await Person.make(in: database, tenant: a.owner.tenant)
        let revoked = try await Person.make(in: database)
        let expired = try await Person.make(in: database)
        let deleted = try await Person.make(in: database)
        let store = PostgresEntryStore(pool: try database.pool(.api))
        let profiles = PostgresProfileStore(pool: try database.pool(.api))
        _ = try await PostgresSessionStore(pool: try database.pool(.api)).end(revoked.member.session, by: revoked.member, requestID: nil)
        try await database.change(
            "update sessions set expires_at = now() - interval '1 s' where id = $1", .uuid(expired.member.session.uuid))
        try await database.change("update users set deleted_at = now() where id = $1", .uuid(deleted.owner.user.uuid))
        let actors = [
            Member(tenant: a.member.tenant, user: a.member.user, session: SessionID(UUID())),
            Member(tenant: a.member.tenant, user: a.member.user, session: b.member.session),
            Member(tenant: a.member.tenant, user: b.member.user, session: a.member.session),
            revoked.member, expired.member, deleted.member,
        ]

        for actor in actors {
            #expect(await refusal { () throws(DiaryError) in try await store.entry(EntryID(UUID()), of: actor) }?.code == .unauthorized)
            #expect(
                await refusal { () throws(DiaryError) in try await store.changes(from: .beginning, limit: 5, of: actor) }?.code
                    == .unauthorized)
            #expect(await refusal { () throws(DiaryError) in try await store.create(a.text(), by: actor) }?.code == .unauthorized)
            #expect(await refusal { () throws(DiaryError) in try await profiles.profile(of: actor) }?.code == .unauthorized)
        }
        #expect(try await store.entry(EntryID(UUID()), of: a.member) == nil)
    }

    // MARK: Time zones

    struct Place: Sendable {
        let zone: String
        let utc: Double
        let local: String
    }

    @Test(
        "the wall clock where it was recorded is kept, over summer time and the date line",
        arguments: [
            // Berlin's night of 25 October 2026 has two o'clock twice; on 29 March 2026 it has none.
            Place(zone: "Europe/Berlin", utc: 1_792_888_200, local: "2026-10-25_02-30-00"),
            Place(zone: "Europe/Berlin", utc: 1_792_891_800, local: "2026-10-25_02-30-00"),
            Place(zone: "Europe/Berlin", utc: 1_774_745_999, local: "2026-03-29_01-59-59"),
            Place(zone: "Europe/Berlin", utc: 1_774_746_000, local: "2026-03-29_03-00-00"),
            Place(zone: "America/New_York", utc: 1_793_511_000, local: "2026-11-01_01-30-00"),
            Place(zone: "America/New_York", utc: 1_793_514_600, local: "2026-11-01_01-30-00"),
            // Samoa had no 30 December 2011.
            Place(zone: "Pacific/Apia", utc: 1_325_239_199, local: "2011-12-29_23-59-59"),
            Place(zone: "Pacific/Apia", utc: 1_325_239_200, local: "2011-12-31_00-00-00"),
            Place(zone: "UTC", utc: 951_825_600.25, local: "2000-02-29_12-00-00"),
        ])
    func wallClock(place: Place) async throws {
        let database = try await MigratedDatabase.shared()
        let person = try await Person.make(in: database)
        let store = PostgresEntryStore(pool: try database.pool(.api))

        let made = try await store.create(person.text(at: Date(timeIntervalSince1970: place.utc), zone: place.zone), by: person.member)

        #expect(made.entry?.facts.localTime.stem == place.local)
        #expect(made.entry?.facts.timeZone == place.zone)
        #expect(made.entry?.facts.recordedAt.timeIntervalSince1970 == place.utc)
    }

    @Test("without a zone the member's own is used")
    func ownZone() async throws {
        let database = try await MigratedDatabase.shared()
        let person = try await Person.make(in: database, timeZone: "Pacific/Apia")
        let store = PostgresEntryStore(pool: try database.pool(.api))

        let made = try await store.create(person.text(at: Date(timeIntervalSince1970: 1_325_239_200), zone: nil), by: person.member)

        #expect(made.entry?.facts.timeZone == "Pacific/Apia")
        #expect(made.entry?.facts.localTime.date == "2011-12-31")
    }

    @Test(
        "an unknown zone name is an invalid field, and neither entry nor idempotency key is written",
        arguments: ["Europe/Berlln", "", "nowhere", "+02:00", "Mars5", "UTC+3", "<x>-5", "../etc/passwd", "europe"])
    func badZone(zone: String) async throws {
        let database = try await MigratedDatabase.shared()
        let person = try await Person.make(in: database)
        let entries = PostgresEntryStore(pool: try database.pool(.api))
        let before = try await Dump.of(person.owner, in: database)

        let entry = await refusal { () throws(DiaryError) in
            try await entries.create(person.text(zone: zone, idempotency: [1]), by: person.member)
        }

        #expect(entry?.code == .invalidFields)
        #expect(entry?.fields.map(\.pointer) == ["/time_zone"])
        #expect(try await Dump.of(person.owner, in: database) == before)
    }
}
