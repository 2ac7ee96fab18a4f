import Foundation
import PostgresClient
import Testing

@testable import DiaryCore
@testable import DiaryDatabase

@Suite("Batches of entries", .timeLimit(.minutes(2)))
struct EntryBatchTests {
    private struct Scene {
        let database: MigratedDatabase
        let person: Person
        let other: Person
        let store: PostgresEntryStore

        static func make() async throws -> Scene {
            let database = try await MigratedDatabase.shared()
            let person = try await Person.make(in: database)
            return Scene(
                database: database, person: person, other: try await Person.make(in: database, tenant: person.owner.tenant),
                store: PostgresEntryStore(pool: try database.pool(.api)))
        }

        func numbers() async throws -> String? {
            try await database.text(
                "select string_agg(change_number::text, ' ' order by change_number) from entries where user_id = $1",
                .uuid(person.owner.user.uuid))
        }
    }

    @Test("a hundred entries are made in one transaction, each with its own number, and made once when they are sent twice")
    func creates() async throws {
        let scene = try await Scene.make()
        let entries = (0..<100).map { $0.isMultiple(of: 2) ? scene.person.text() : scene.person.voice() }

        let first = try await scene.store.create(entries, by: scene.person.member)
        let again = try await scene.store.create(entries, by: scene.person.member)

        #expect(first.map(\.name) == [String](repeating: "created", count: 100))
        #expect(again.map(\.name) == [String](repeating: "replayed", count: 100))
        #expect(first.map { $0.entry?.facts.id } == entries.map(\.id))
        #expect(Set(first.compactMap { $0.entry?.facts.changeNumber }).count == 100)
        #expect(
            try await scene.database.int("select count(*) from entries where user_id = $1", .uuid(scene.person.owner.user.uuid)) == 100)
    }

    @Test("an id that is taken, or whose entry was deleted, refuses that entry alone; a zone that does not exist undoes all")
    func refusedCreates() async throws {
        let scene = try await Scene.make()
        let (taken, gone) = (EntryID(UUIDv7.make()), EntryID(UUIDv7.make()))
        _ = try await scene.store.create([scene.person.text(taken), scene.person.text(gone)], by: scene.person.member)
        _ = try await scene.store.delete(gone, expecting: nil, keyID: scene.person.keyID, by: scene.person.member)

        let outcomes = try await scene.store.create(
            [scene.person.text(taken, request: [2]), scene.person.text(gone), scene.person.text()], by: scene.person.member)
        #expect(outcomes.map(\.name) == ["idTaken", "deleted", "created"])

        let before = try await Dump.of(scene.person.owner, in: scene.database)
        let refused = await refusal { () throws(DiaryError) in
            try await scene.store.create([scene.person.text(), scene.person.text(zone: "nowhere")], by: scene.person.member)
        }
        #expect(refused?.code == .invalidFields && refused?.fields.map(\.pointer) == ["/time_zone"])
        #expect(try await Dump.of(scene.person.owner, in: scene.database) == before)
    }

    @Test("parts are written where the version that was read is still there; another person's entry is missing")
    func rewrites() async throws {
        let scene = try await Scene.make()
        let mine = (0..<3).map { _ in scene.person.text() }.sorted { $0.id.description < $1.id.description }
        let theirs = scene.other.text()
        _ = try await scene.store.create(mine, by: scene.person.member)
        _ = try await scene.store.create(theirs, by: scene.other.member)
        _ = try await scene.store.delete(mine[2].id, expecting: nil, keyID: scene.person.keyID, by: scene.person.member)
        func rewrite(_ id: EntryID, expecting version: Int64 = 1) -> PersonalRewrite {
            PersonalRewrite(id: id, sealed: SealedColumn(bytes: [9], version: version + 1), expecting: version)
        }

        let outcomes = try await scene.store.rewritePersonal(
            [rewrite(mine[0].id), rewrite(mine[1].id, expecting: 4), rewrite(mine[2].id), rewrite(theirs.id)],
            keyID: scene.person.keyID, by: scene.person.member)

        #expect(outcomes.map(\.name) == ["written", "conflict", "missing", "missing"])
        let there = try await scene.store.entries(mine.map(\.id) + [theirs.id], of: scene.person.member)
        #expect(there.map(\.facts.id) == [mine[0].id, mine[1].id] && !there.more)
        #expect(there.first { $0.facts.id == mine[0].id }?.version == 2)
        #expect(try await scene.store.entry(theirs.id, of: scene.other.member)?.version == 1)
    }

    @Test("large entries are read page by page, in the order of their ids; a repeated creation answers without their texts")
    func pages() async throws {
        let scene = try await Scene.make()
        let entries = (0..<3).map { _ in
            var entry = scene.person.text()
            entry.personal = [UInt8](repeating: 7, count: 1_200_000)
            return entry
        }.sorted { $0.id.description < $1.id.description }
        _ = try await scene.store.create(entries, by: scene.person.member)

        let first = try await scene.store.entries(entries.reversed().map(\.id), of: scene.person.member)
        let rest = try await scene.store.entries([entries[2].id], of: scene.person.member)
        let again = try await scene.store.create(entries, by: scene.person.member)

        #expect(first.map(\.facts.id) == [entries[0].id, entries[1].id] && first.more)
        #expect(rest.map(\.facts.id) == [entries[2].id] && !rest.more)
        #expect(again.map { $0.entry?.facts.id } == entries.map(\.id))
        #expect(again.allSatisfy { $0.entry != nil && $0.entry?.personal == nil })
    }

    @Test("deletions have a number each; one that was deleted before is done, another person's is missing")
    func deletes() async throws {
        let scene = try await Scene.make()
        let mine = (0..<2).map { _ in scene.person.text() }
        let theirs = scene.other.text()
        _ = try await scene.store.create(mine, by: scene.person.member)
        _ = try await scene.store.create(theirs, by: scene.other.member)
        func names() async throws -> [String] {
            try await scene.store.delete(
                [mine[0].id, theirs.id, mine[1].id, EntryID(UUID())], keyID: scene.person.keyID, by: scene.person.member
            ).map {
                switch $0 {
                case .deleted: "deleted"
                case .already: "already"
                case .missing: "missing"
                }
            }
        }

        #expect(try await names() == ["deleted", "missing", "deleted", "missing"])
        let numbers = try await scene.numbers()
        #expect(try await names() == ["already", "missing", "already", "missing"])
        #expect(try await scene.numbers() == numbers)
        #expect(try await scene.store.entry(theirs.id, of: scene.other.member) != nil)
    }
}
