import DiaryCrypto
import DiaryTesting
import Foundation
import PostgresClient
import Testing

@testable import DiaryCore
@testable import DiaryDatabase

/// Decision D21: tags and moods are found by keyed hashes, and confirmed on the opened part.
@Suite("Filters of the listing", .timeLimit(.minutes(2)))
struct EntryFilterTests {
    private struct Scene {
        let database: MigratedDatabase
        let person: Person
        let store: PostgresEntryStore
        let read: ReadEntries
        let edit: EditEntry
        let vault: Vault

        static func make() async throws -> Scene {
            let database = try await MigratedDatabase.shared()
            let person = try await Person.make(in: database)
            let (keys, vault) = try await person.keys(in: database)
            let store = PostgresEntryStore(pool: try database.pool(.api))
            return Scene(
                database: database, person: person, store: store, read: ReadEntries(entries: store, keys: keys),
                edit: EditEntry(entries: store, keys: keys, tenants: StubTenants([]), jobSignals: NoJobSignals()), vault: vault)
        }

        private func filled(_ entry: NewEntry, _ personal: PersonalPart, favorite: Bool) throws -> NewEntry {
            var entry = entry
            entry.keyID = vault.key.id
            entry.personal = try vault.seal(personal, as: .personal, row: entry.id.uuid, version: 1)
            entry.labelHashes = vault.hashes(of: personal.labels)
            entry.facts.favorite = favorite
            return entry
        }

        /// The later the number, the later the recording.
        @discardableResult
        func text(_ number: Int, tags: [String] = [], mood: String? = nil, favorite: Bool = false) async throws -> EntryID {
            let personal = PersonalPart(title: "\(number)", edited: "words", tags: tags, mood: mood)
            let entry = try filled(
                person.text(at: Date(timeIntervalSince1970: 1_780_000_000 + Double(number) * 3_600)), personal, favorite: favorite)
            _ = try await store.create(entry, by: person.member)
            return entry.id
        }

        func voice() async throws -> EntryID {
            let entry = try filled(person.voice(), PersonalPart(title: "voice"), favorite: false)
            _ = try await store.create(entry, by: person.member)
            return entry.id
        }

        func page(_ filter: EntryFilter, limit: Int = 50, after: EntryPosition? = nil) async throws -> ReadEntries.Listing {
            try await read.list(
                DateQuery(from: nil, to: nil, order: .newestFirst, after: after, limit: limit, filter: filter), for: person.member)
        }

        func titles(_ filter: EntryFilter) async throws -> [String] { try await page(filter).entries.map { $0.personal.title ?? "" } }

        func tagged(_ tag: String) async throws -> [String] { try await titles(EntryFilter(labels: [EntryLabel(.tag, tag)])) }

        func columns(_ expression: String, _ id: EntryID) async throws -> String? {
            try await database.text("select (\(expression))::text from entries where id = $1", .uuid(id.uuid))
        }
    }

    @Test("an entry is listed when it fits every value")
    func values() async throws {
        let scene = try await Scene.make()
        try await scene.text(1, tags: ["Summer", "lake"], mood: "calm", favorite: true)
        try await scene.text(2, tags: ["lake"], mood: "summer")
        try await scene.text(3, favorite: true)
        _ = try await scene.voice()

        #expect(try await scene.titles(EntryFilter()) == ["3", "2", "1", "voice"])
        #expect(try await scene.titles(EntryFilter(kind: .voice)) == ["voice"])
        #expect(try await scene.titles(EntryFilter(kind: .text, status: .awaitingUpload)) == [])
        #expect(try await scene.titles(EntryFilter(status: .transcribed)) == ["3", "2", "1"])
        #expect(try await scene.titles(EntryFilter(isFavorite: true)) == ["3", "1"])
        #expect(try await scene.titles(EntryFilter(isFavorite: false)) == ["2", "voice"])
        #expect(try await scene.tagged("SUMMER ") == ["1"])
        #expect(try await scene.tagged("lake") == ["2", "1"])
        #expect(try await scene.tagged("lakes") == [])
        #expect(try await scene.titles(EntryFilter(labels: [EntryLabel(.mood, "summer")])) == ["2"])
        #expect(
            try await scene.titles(EntryFilter(isFavorite: true, labels: [EntryLabel(.tag, "lake"), EntryLabel(.mood, "Calm")])) == ["1"])
    }

    @Test("a change of tags, mood or favourite is found at once, and of a tombstone nothing is left")
    func changes() async throws {
        let scene = try await Scene.make()
        let id = try await scene.text(1, tags: ["lake"], mood: "calm")
        var patch = EntryPatch.unchanged
        patch.tags = .set(["river"])
        patch.facts.favorite = true
        guard case .written(let edited) = try await scene.edit.run(id, patch, matching: .any, by: scene.person.member) else {
            throw NotWhatWasExpected()
        }

        #expect(edited.facts.favorite && edited.version == 2)
        #expect(try await scene.tagged("lake") == [])
        #expect(try await scene.tagged("river") == ["1"])
        #expect(try await scene.titles(EntryFilter(isFavorite: true, labels: [EntryLabel(.mood, "calm")])) == ["1"])
        #expect(try await scene.columns("cardinality(label_hashes) = 2", id) == "true")

        _ = try await scene.edit.run(id, .unchanged, matching: .any, by: scene.person.member)
        #expect(try await scene.titles(EntryFilter(isFavorite: true)) == ["1"])

        _ = try await scene.store.delete(id, expecting: nil, keyID: scene.vault.key.id, by: scene.person.member)
        #expect(try await scene.columns("label_hashes is null and not favorite", id) == "true")
    }

    @Test("a candidate without the label is not shown, and does not end the list")
    func candidates() async throws {
        let scene = try await Scene.make()
        try await scene.text(1, tags: ["lake"])
        for number in 2...5 { try await scene.text(number, tags: ["river"]) }
        try await scene.text(6, tags: ["lake"])
        // Equal hashes of different words.
        let hashes = scene.vault.hashes(of: [EntryLabel(.tag, "lake")])
        try await scene.database.change(
            "update entries set label_hashes = $2 where user_id = $1", .uuid(scene.person.owner.user.uuid), .ints(hashes))
        let filter = EntryFilter(labels: [EntryLabel(.tag, "lake")])

        var (pages, position): ([[String?]], EntryPosition?) = ([], nil)
        repeat {
            let page = try await scene.page(filter, limit: 2, after: position)
            pages.append(page.entries.map(\.personal.title))
            position = page.next.flatMap { EntryPosition(parsing: $0) }
        } while position != nil

        #expect(pages == [["6"], [], ["1"]])
        #expect(try await scene.tagged("lake") == ["6", "1"])
    }

    @Test("days count what the listing of each day returns")
    func days() async throws {
        let scene = try await Scene.make()
        // 1_780_000_000 is 22:26 in Berlin on 28 May 2026.
        for number in [0, 1, 2, 3, 26] { try await scene.text(number) }
        _ = try await scene.voice()
        let gone = try await scene.text(50)
        _ = try await scene.store.delete(gone, expecting: nil, keyID: scene.vault.key.id, by: scene.person.member)
        func counts(_ from: String, _ to: String) async throws -> [DayCount] {
            try await scene.read.days(from: try day(from), to: try day(to), for: scene.person.member)
        }

        let expected = [
            DayCount(day: try day("2026-05-28"), entries: 3, recordings: 1, durationSeconds: 3),
            DayCount(day: try day("2026-05-29"), entries: 2, recordings: 0, durationSeconds: 0),
            DayCount(day: try day("2026-05-30"), entries: 1, recordings: 0, durationSeconds: 0),
        ]
        #expect(try await counts("2026-05-01", "2026-05-31") == expected)
        #expect(try await counts("2026-05-29", "2026-05-29") == [expected[1]])
        #expect(try await counts("2026-06-01", "2026-06-30") == [])
        #expect(try await counts("0001-01-01", "9999-12-31") == expected)
    }
}
