import DiaryCrypto
import DiaryTesting
import Foundation
import PostgresClient
import Testing

@testable import DiaryCore
@testable import DiaryDatabase

@Suite("Search over sealed words", .timeLimit(.minutes(2)))
struct SearchEntriesTests {
    private struct Scene {
        let person: Person
        let entries: PostgresEntryStore
        let store: PostgresSearchStore
        let search: SearchEntries
        let vault: Vault

        static func make() async throws -> Scene {
            let database = try await MigratedDatabase.shared()
            let person = try await Person.make(in: database)
            let (keys, vault) = try await person.keys(in: database)
            let pool = try database.pool(.api)
            let store = PostgresSearchStore(pool: pool)
            return Scene(
                person: person, entries: PostgresEntryStore(pool: pool), store: store,
                search: SearchEntries(store: store, keys: keys, turns: AccountTurns(of: "searches", most: 2)), vault: vault)
        }

        /// The later the number, the later the recording.
        func entry(_ number: Int, _ words: String, tags: [String] = []) throws -> NewEntry {
            var entry = person.text(at: Date(timeIntervalSince1970: 1_780_000_000 + Double(number) * 3_600))
            let personal = PersonalPart(title: "\(number)", edited: words, tags: tags)
            entry.keyID = vault.key.id
            entry.personal = try vault.seal(personal, as: .personal, row: entry.id.uuid, version: 1)
            entry.labelHashes = vault.hashes(of: personal.labels)
            return entry
        }

        @discardableResult
        func text(_ number: Int, _ words: String, tags: [String] = []) async throws -> EntryID {
            let entry = try entry(number, words, tags: tags)
            _ = try await entries.create(entry, by: person.member)
            return entry.id
        }

        func query(_ limit: Int, after: DatePosition? = nil, _ filter: EntryFilter = EntryFilter()) -> DateQuery {
            let position = after.map { EntryPosition(.recordedAt($0.recordedAt), id: $0.id) }
            return DateQuery(from: nil, to: nil, order: .newestFirst, after: position, limit: limit, filter: filter)
        }

        func page(
            _ words: String, limit: Int = 50, after: ListPosition? = nil, _ filter: EntryFilter = EntryFilter(), isAwaited: Bool = true
        ) async throws -> SearchPage {
            let position = after.map { DatePosition(recordedAt: $0.at, id: EntryID($0.id)) }
            return try await search.run(
                try #require(SearchWords(words)), in: query(limit, after: position, filter), for: person.member
            ) { isAwaited }
        }

        func titles(_ words: String, _ filter: EntryFilter = EntryFilter()) async throws -> [String] {
            try await page(words, filter).items.map { $0.entry.personal.title ?? "" }
        }
    }

    @Test("entries that have all words are found, newest first, with the beginning of their texts")
    func found() async throws {
        let scene = try await Scene.make()
        for number in 1...6 { try await scene.text(number, number % 2 == 0 ? "By the river." : "At the lake.", tags: ["day \(number)"]) }

        #expect(try await scene.titles("RIVER") == ["6", "4", "2"])
        #expect(try await scene.titles("riv 4") == ["4"])
        #expect(try await scene.titles("\"the lake\" day") == ["5", "3", "1"])
        #expect(try await scene.titles("boat").isEmpty)
        let page = try await scene.page("river 2")
        #expect(page.next == nil && page.items.first?.entry.text == "By the river.")
        #expect(page.items.first?.snippets.map(\.text) == ["2", "By the river."])
    }

    @Test("of entries of one time the greatest id comes first")
    func ties() async throws {
        let scene = try await Scene.make()
        var ids: [EntryID] = []
        for _ in 1...4 { ids.append(try await scene.text(1, "river")) }

        let found = try await scene.page("river").items.map(\.entry.facts.id)

        #expect(found == ids.sorted { $0.description > $1.description })
    }

    @Test("pages join to the same whatever their length, and what comes meanwhile changes none", arguments: [1, 2, 3, 7])
    func pages(limit: Int) async throws {
        let scene = try await Scene.make()
        for number in 1...20 { try await scene.text(number, number % 3 == 0 ? "river" : "lake") }

        var titles: [String] = []
        var after: ListPosition?
        repeat {
            let page = try await scene.page("river", limit: limit, after: after)
            #expect(page.items.count <= limit)
            titles += page.items.map { $0.entry.personal.title ?? "" }
            after = page.next
            try await scene.text(100 + titles.count, "river")
        } while after != nil

        #expect(titles == ["18", "15", "12", "9", "6", "3"])
    }

    @Test("filters hold, tags confirmed on the opened words")
    func filters() async throws {
        let scene = try await Scene.make()
        try await scene.text(1, "river", tags: ["summer"])
        try await scene.text(2, "river", tags: ["Summer", "trip"])
        try await scene.text(3, "river")

        let summer = EntryLabel(.tag, "summer")
        #expect(try await scene.titles("river", EntryFilter(labels: [summer])) == ["2", "1"])
        #expect(try await scene.titles("river", EntryFilter(labels: [summer, EntryLabel(.tag, "TRIP")])) == ["2"])
        #expect(try await scene.titles("river", EntryFilter(kind: .voice)).isEmpty)
    }

    @Test("a batch ends with its bytes and has one entry at least")
    func batches() async throws {
        let scene = try await Scene.make()
        for number in 1...4 { try await scene.text(number, String(repeating: "river ", count: 100)) }

        let one = try await scene.store.words(scene.query(9), bytes: 1, of: scene.person.member)
        let two = try await scene.store.words(scene.query(9, after: one.entries.first?.position), bytes: 1_000, of: scene.person.member)
        let rest = try await scene.store.words(scene.query(9, after: two.entries.last?.position), bytes: 1 << 20, of: scene.person.member)

        #expect(one.entries.count == 1 && one.more && two.entries.count == 2 && two.more && rest.entries.count == 1 && !rest.more)
        let found = try await scene.store.found(rest.entries.map(\.position.id), bytes: 1, of: scene.person.member)
        #expect(found.map(\.entry.facts.id) == rest.entries.map(\.position.id) && found.first?.segments == nil)
    }

    @Test("deleted entries and those of others are not found")
    func others() async throws {
        let (scene, other) = (try await Scene.make(), try await Scene.make())
        let gone = try await scene.text(1, "river")
        try await other.text(2, "river")
        _ = try await scene.entries.delete(gone, expecting: nil, keyID: scene.vault.key.id, by: scene.person.member)

        #expect(try await scene.titles("river").isEmpty)
        #expect(try await other.titles("river") == ["2"])
    }

    @Test("a search goes on batch by batch; when the client has gone it ends after one, and says where to go on")
    func left() async throws {
        let scene = try await Scene.make()
        let more = SearchEntries.batchSizes.lowerBound + 5
        for first in stride(from: 1, through: more, by: 41) {
            let entries = try (first..<min(first + 41, more + 1)).map { try scene.entry($0, $0 == 1 ? "river" : "lake") }
            _ = try await scene.entries.create(entries, by: scene.person.member)
        }

        #expect(try await scene.titles("river") == ["1"])
        let page = try await scene.page("river", isAwaited: false)
        #expect(page.items.isEmpty && page.next != nil)
        #expect(try await scene.page("river", after: page.next, isAwaited: false).items.map(\.entry.personal.title) == ["1"])
    }

    @Test("a page that ends does not cancel what it reads ahead: a cancelled statement would take its connection with it")
    func readsAhead() async throws {
        let scene = try await Scene.make()
        for number in 1...3 { try await scene.text(number, number == 2 ? "river" : "lake") }
        let store = OneByOne(store: scene.store)
        let search = SearchEntries(store: store, keys: scene.search.keys, turns: scene.search.turns)

        let page = try await search.run(try #require(SearchWords("river")), in: scene.query(1), for: scene.person.member)
        store.end.continuation.finish()

        #expect(page.items.map(\.entry.personal.title) == ["2"] && page.next != nil)
        var wasCancelled = store.wasCancelled.stream.makeAsyncIterator()
        #expect(await wasCancelled.next() == false)
    }

    /// Batches of one entry. The last one, behind two others, is read after `end`.
    private struct OneByOne: SearchStore {
        let store: PostgresSearchStore
        let end = AsyncStream.makeStream(of: Never.self)
        let wasCancelled = AsyncStream.makeStream(of: Bool.self)

        func words(_ query: DateQuery, bytes: Int, of member: Member) async throws(DiaryError) -> SearchBatch {
            var query = query
            query.limit = 1
            let batch = try await store.words(query, bytes: bytes, of: member)
            var behind = query
            behind.after = batch.entries.last.map { EntryPosition(.recordedAt($0.position.recordedAt), id: $0.position.id) }
            if try await store.words(behind, bytes: bytes, of: member).entries.isEmpty {
                for await _ in end.stream {}
                wasCancelled.continuation.yield(Task.isCancelled)
            }
            return batch
        }

        func found(_ ids: [EntryID], bytes: Int, of member: Member) async throws(DiaryError) -> [StoredTranscript] {
            try await store.found(ids, bytes: bytes, of: member)
        }

        func profiles(of member: Member) async throws(DiaryError) -> [StoredSpeakerProfile] { try await store.profiles(of: member) }
    }
}
