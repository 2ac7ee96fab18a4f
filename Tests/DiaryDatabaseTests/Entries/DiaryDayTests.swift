import Foundation
import PostgresClient
import Testing

@testable import DiaryCore
@testable import DiaryDatabase

/// Decision D17: the day of an entry is the date of its own wall clock less its owner's `day_ends_at`.
@Suite("Days of the diary", .timeLimit(.minutes(2)))
struct DiaryDayTests {
    private struct Scene {
        let database: MigratedDatabase
        let person: Person
        let entries: PostgresEntryStore
        let profiles: PostgresProfileStore

        static func make() async throws -> Scene {
            let database = try await MigratedDatabase.shared()
            let pool = try database.pool(.api)
            return Scene(
                database: database, person: try await Person.make(in: database), entries: PostgresEntryStore(pool: pool),
                profiles: PostgresProfileStore(pool: pool))
        }

        @discardableResult
        func create(_ utc: Double, _ zone: String = "Europe/Berlin") async throws -> EntryFacts? {
            try await entries.create(person.text(at: Date(timeIntervalSince1970: utc), zone: zone), by: person.member).entry?.facts
        }

        func endDays(at minute: Int) async throws {
            let patch = StoredProfilePatch(nameSealed: .absent, rest: ProfilePatch(dayEndsMinute: minute))
            _ = try await profiles.change(patch, matching: nil, keyID: nil, by: person.member)
        }

        func list(_ from: String?, _ to: String?) async throws -> [EntryFacts] {
            let query = DateQuery(from: try from.map(day), to: try to.map(day), order: .oldestFirst, after: nil, limit: 50)
            return try await entries.list(query, of: person.member).map(\.facts)
        }

        func number() async throws -> Int64 {
            try await database.int("select change_number from user_sync where user_id = $1", .uuid(person.owner.user.uuid))
        }
    }

    struct Case: Sendable {
        let zone: String
        let utc: Double
        let minute: Int
        let day: String
    }

    @Test(
        "an entry is on the day that its own clock says, and before the end of the day on the one before",
        arguments: [
            // 29 March 2026 in Berlin has no two o'clock, 25 October has it twice.
            Case(zone: "Europe/Berlin", utc: 1_774_746_000, minute: 180, day: "2026-03-29"),
            Case(zone: "Europe/Berlin", utc: 1_774_745_999, minute: 180, day: "2026-03-28"),
            Case(zone: "Europe/Berlin", utc: 1_792_888_200, minute: 150, day: "2026-10-25"),
            Case(zone: "Europe/Berlin", utc: 1_792_888_200, minute: 151, day: "2026-10-24"),
            Case(zone: "Europe/Berlin", utc: 1_792_891_800, minute: 151, day: "2026-10-24"),
            // The day before is the date before, although Samoa had no 30 December 2011.
            Case(zone: "Pacific/Apia", utc: 1_325_239_200, minute: 0, day: "2011-12-31"),
            Case(zone: "Pacific/Apia", utc: 1_325_239_200, minute: 1, day: "2011-12-30"),
            Case(zone: "Asia/Kathmandu", utc: 1_767_205_800, minute: 719, day: "2025-12-31"),
            Case(zone: "UTC", utc: 1_772_323_200, minute: 60, day: "2026-02-28"),
        ])
    func days(of entry: Case) async throws {
        let scene = try await Scene.make()
        try await scene.endDays(at: entry.minute)

        let made = try await scene.create(entry.utc, entry.zone)

        #expect(made?.day.description == entry.day)
        #expect(try await scene.list(entry.day, entry.day).map(\.id) == [made?.id])
        let change = try await scene.entries.changes(from: .beginning, limit: 5, of: scene.person.member)
        guard case .page(let page, _, _, _, _) = change else { throw NotWhatWasExpected() }
        #expect(page.entries.map(\.facts.day.description) == [entry.day])
    }

    @Test("a change of the end of the day moves the entries that it concerns, with numbers of the feed in their order, and no others")
    func moved() async throws {
        let scene = try await Scene.make()
        let other = try await Person.make(in: scene.database, tenant: scene.person.owner.tenant)
        _ = try await scene.entries.create(other.text(at: Date(timeIntervalSince1970: 1_772_325_000)), by: other.member)
        // 1 March in Berlin at 01:30, 00:30, 12:00, and 01:30 in a deleted entry.
        let late = try await scene.create(1_772_325_000)
        let early = try await scene.create(1_772_321_400)
        let noon = try await scene.create(1_772_362_800)
        let gone = try #require(try await scene.create(1_772_325_000))
        _ = try await scene.entries.delete(gone.id, expecting: nil, keyID: scene.person.keyID, by: scene.person.member)
        let before = try await scene.number()

        try await scene.endDays(at: 180)

        #expect(try await scene.number() == before + 2)
        #expect(try await scene.list("2026-02-28", "2026-02-28").map(\.id) == [early?.id, late?.id])
        #expect(try await scene.list("2026-03-01", nil).map(\.id) == [noon?.id])
        let feed = PostgresEntryStore.changes(after: before, since: nil, limit: 50, of: scene.person.owner)
        let numbers = try await scene.database.superuser.run([feed])[0].map { try $0.uuid(5) }
        #expect(numbers == [late?.id.uuid, early?.id.uuid])

        try await scene.endDays(at: 180)
        #expect(try await scene.number() == before + 2, "nothing has changed")
        try await scene.endDays(at: 60)
        #expect(try await scene.number() == before + 3)
        #expect(try await scene.list("2026-03-01", "2026-03-01").map(\.id) == [late?.id, noon?.id])
        #expect(
            try await scene.database.int(
                "select count(*) from entries where user_id = $1 and local_date = '2026-03-01'", .uuid(other.owner.user.uuid)) == 1)
    }

    @Test("entries that are created while the end of the day changes are on the day of the last setting")
    func concurrent() async throws {
        let scene = try await Scene.make()

        _ = try await parallel(40) { number in
            if number % 5 == 4 {
                try await scene.endDays(at: number % 2 == 0 ? 0 : 180)
            } else {
                try await scene.create(1_772_325_000)
            }
            return number
        }
        let minute = try await scene.database.int("select day_ends_minute from users where id = $1", .uuid(scene.person.owner.user.uuid))

        let day = minute == 0 ? "2026-03-01" : "2026-02-28"
        #expect(try await scene.list(day, day).count == 32)
        #expect(try await scene.list(nil, nil).count == 32)
    }

    @Test(
        "a corrected time or zone moves wall clock, file name, day and place in the listing, as one change of the feed",
        arguments: [
            (1_772_362_800, nil, "2026-03-01_12-00-00", "2026-03-01"), (nil, "Asia/Tokyo", "2026-03-01_09-30-00", "2026-03-01"),
            (1_772_362_800, "Asia/Tokyo", "2026-03-01_20-00-00", "2026-03-01"),
            (1_772_321_400, nil, "2026-03-01_00-30-00", "2026-02-28"),
        ] as [(Double?, String?, String, String)])
    func corrected(utc: Double?, zone: String?, local: String, day: String) async throws {
        let scene = try await Scene.make()
        try await scene.endDays(at: 180)
        // 01:30 in Berlin on 1 March, which is still 28 February.
        var voice = scene.person.voice()
        voice.recordedAt = Date(timeIntervalSince1970: 1_772_325_000)
        let made = try #require(try await scene.entries.create(voice, by: scene.person.member).entry?.facts)
        let before = try await scene.number()
        let time = utc.map { Date(timeIntervalSince1970: $0) }

        let outcome = try await scene.entries.rewritePersonal(
            PersonalRewrite(
                id: made.id, sealed: SealedColumn(bytes: [1], version: 2), expecting: 1,
                facts: FactsPatch(recordedAt: time, timeZone: zone)),
            keyID: scene.person.keyID, by: scene.person.member)

        guard case .written(let stored) = outcome else { throw NotWhatWasExpected() }
        #expect(stored.version == 2 && stored.facts.changeNumber == before + 1)
        #expect(stored.facts.recordedAt == time ?? made.recordedAt && stored.facts.timeZone == zone ?? made.timeZone)
        #expect(stored.facts.localTime.stem == local && stored.facts.day.description == day)
        #expect(stored.facts.filename == "\(local)_\(made.id.description.suffix(8)).m4a")
        #expect(try await scene.list(day, day).map(\.id) == [made.id])
        #expect(try await scene.list(nil, nil).count == 1)
    }

    @Test("a zone that does not exist changes nothing")
    func unknownZone() async throws {
        let scene = try await Scene.make()
        let made = try #require(try await scene.create(1_772_325_000))

        let refused = await refusal { () throws(DiaryError) in
            try await scene.entries.rewritePersonal(
                PersonalRewrite(
                    id: made.id, sealed: SealedColumn(bytes: [1], version: 2), expecting: 1,
                    facts: FactsPatch(timeZone: "Europe/Berlln")),
                keyID: scene.person.keyID, by: scene.person.member)
        }

        #expect(refused?.code == .invalidFields && refused?.fields.map(\.pointer) == ["/time_zone"])
        #expect(try await scene.entries.entry(made.id, of: scene.person.member)?.version == 1)
    }

    @Test("a wall clock that is written anew takes the day with it, and the row says when")
    func rewritten() async throws {
        let scene = try await Scene.make()
        try await scene.endDays(at: 180)
        let made = try #require(try await scene.create(1_772_325_000))
        func unmoved() async throws -> Int64 {
            try await scene.database.int(
                "select count(*) from entries where id = $1 and day_changed_at is null", .uuid(made.id.uuid))
        }
        #expect(try await unmoved() == 1)

        try await scene.database.change("update entries set recorded_local = '2026-05-05T03:00:00' where id = $1", .uuid(made.id.uuid))

        #expect(try await scene.entries.entry(made.id, of: scene.person.member)?.facts.day.description == "2026-05-05")
        #expect(try await unmoved() == 0)
    }
}
