import DiaryCrypto
import DiaryTesting
import Foundation
import PostgresClient
import Testing

@testable import DiaryCore
@testable import DiaryDatabase

@Suite("Tags in all entries", .timeLimit(.minutes(2)))
struct TagStoreTests {
    private struct Scene {
        let database: MigratedDatabase
        let person: Person
        let store: PostgresEntryStore
        let vault: Vault
        let keys: DataKeys
        let read: ReadTags

        static func make() async throws -> Scene {
            let database = try await MigratedDatabase.shared()
            let person = try await Person.make(in: database)
            let (keys, vault) = try await person.keys(in: database)
            let store = PostgresEntryStore(pool: try database.pool(.api))
            return Scene(
                database: database, person: person, store: store, vault: vault, keys: keys, read: ReadTags(store: store, keys: keys))
        }

        /// - Parameter between: a store that changes something between a reading and its write.
        func change(_ between: (any TagStore)? = nil) -> ChangeTag {
            let schedules = StubStore()
            return ChangeTag(
                store: between ?? store, schedules: schedules,
                editSchedule: EditExportSchedule(store: schedules, keys: keys, zones: .system), keys: keys, read: read)
        }

        @discardableResult
        func entry(_ number: Int, tags: [String]) async throws -> EntryID {
            let personal = PersonalPart(title: "\(number)", edited: "words", tags: tags)
            var entry = person.text(at: Date(timeIntervalSince1970: 1_780_000_000 + Double(number) * 3_600))
            entry.keyID = vault.key.id
            entry.personal = try vault.seal(personal, as: .personal, row: entry.id.uuid, version: 1)
            entry.labelHashes = vault.hashes(of: personal.labels)
            _ = try await store.create(entry, by: person.member)
            return entry.id
        }

        func tags() async throws -> [String] { try await read.all(.tag, of: person.member).map { "\($0.name) \($0.count)" } }

        func entry(_ id: EntryID) async throws -> Entry {
            try await ReadEntries(entries: store, keys: keys).one(id, for: person.member)
        }

        func rename(_ name: String, to other: String, _ between: (any TagStore)? = nil) async throws -> LabelSummary {
            var patch = TagPatch()
            patch.name = other
            return try await change(between).run(name, patch, by: person.member)
        }
    }

    @Test("more entries than a batch are renamed, and one that is changed between its reading and its write loses nothing")
    func conflict() async throws {
        let scene = try await Scene.make()
        var ids: [EntryID] = []
        for number in 0..<(ChangeTag.batch + 5) { ids.append(try await scene.entry(number, tags: ["old"])) }
        let busy = try #require(ids.first)
        let between = ChangingTagStore(store: scene.store) {
            var patch = EntryPatch.unchanged
            patch[.title] = .set("meanwhile")
            let edit = EditEntry(entries: scene.store, keys: scene.keys, tenants: StubTenants([]), jobSignals: NoJobSignals())
            _ = try? await edit.run(busy, patch, matching: .any, by: scene.person.member)
        }

        let tag = try await scene.rename("OLD", to: "new", between)

        #expect(tag.name == "new" && tag.count == Int64(ids.count) && tag.color == nil)
        #expect(try await scene.tags() == ["new \(ids.count)"])
        let entry = try await scene.entry(busy)
        #expect(entry.personal.title == "meanwhile" && entry.personal.tags == ["new"] && entry.version == 3)
    }

    @Test("an entry that cannot be read keeps what it has, and the others are renamed")
    func damaged() async throws {
        let scene = try await Scene.make()
        let (damaged, fine) = (try await scene.entry(1, tags: ["old"]), try await scene.entry(2, tags: ["old"]))
        try await scene.database.change("update entries set personal = '\\x0102' where id = $1", .uuid(damaged.uuid))

        _ = try await scene.rename("old", to: "new")

        #expect(try await scene.entry(fine).personal.tags == ["new"])
        #expect(try await scene.database.text("select personal::text from entries where id = $1", .uuid(damaged.uuid)) == "\\x0102")
    }

    @Test("a colour that another tag's row was given is as none")
    func swapped() async throws {
        let scene = try await Scene.make()
        try await scene.entry(1, tags: ["sea"])
        let lake = try scene.vault.sealed(ColoredTag(name: "lake", color: try #require(TagColor("#0277BD"))))
        let wrong = StoredTag(hash: scene.vault.hash(ofTag: "sea"), sealed: lake.sealed)
        for row in [lake, wrong] {
            #expect(
                try await scene.store.writeTag(row, replacing: [row.hash], most: 2, keyID: scene.vault.key.id, by: scene.person.member))
        }

        let found = try await scene.read.all(.tag, of: scene.person.member)

        #expect(found.map(\.name) == ["sea", "lake"] && found.map { $0.color?.text } == [nil, "#0277bd"])
        let third = StoredTag(hash: 12, sealed: [1])
        #expect(
            try await !scene.store.writeTag(third, replacing: [12], most: 2, keyID: scene.vault.key.id, by: scene.person.member))
    }
}

/// Calls `change` once, behind the first reading of entries.
private actor ChangingTagStore: TagStore {
    let store: PostgresEntryStore
    let change: @Sendable () async -> Void
    private var isChanged = false

    init(store: PostgresEntryStore, change: @escaping @Sendable () async -> Void) {
        self.store = store
        self.change = change
    }

    func labelUses(
        _ kind: EntryLabel.Kind, hash: Int64?, most: Int, of member: Member
    ) async throws(DiaryError) -> (uses: [LabelUse], colored: [StoredTag]) {
        try await store.labelUses(kind, hash: hash, most: most, of: member)
    }

    func samples(_ ids: [EntryID], of member: Member) async throws(DiaryError) -> EntryPage { try await store.samples(ids, of: member) }

    func labelled(_ hash: Int64, after id: EntryID?, limit: Int, of member: Member) async throws(DiaryError) -> EntryPage {
        let page = try await store.labelled(hash, after: id, limit: limit, of: member)
        if !isChanged {
            isChanged = true
            await change()
        }
        return page
    }

    func relabel(_ rewrites: [PersonalRewrite], keyID: UUID, by member: Member) async throws(DiaryError) -> Int {
        try await store.relabel(rewrites, keyID: keyID, by: member)
    }

    func writeTag(
        _ tag: StoredTag?, replacing hashes: [Int64], most: Int, keyID: UUID, by member: Member
    ) async throws(DiaryError) -> Bool {
        try await store.writeTag(tag, replacing: hashes, most: most, keyID: keyID, by: member)
    }
}
