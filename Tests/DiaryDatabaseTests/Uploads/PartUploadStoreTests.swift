import DiaryCrypto
import Foundation
import PostgresClient
import TestSupport
import Testing

@testable import DiaryCore
@testable import DiaryDatabase

@Suite("Sets of parts", .timeLimit(.minutes(2)))
struct PartUploadStoreTests {
    let database: MigratedDatabase
    let person: Person
    let entries: PostgresEntryStore
    let store: PostgresPartUploadStore
    let sweep: PostgresSweepStore

    init() async throws {
        database = try await MigratedDatabase.make()
        person = try await Person.make(in: database)
        entries = PostgresEntryStore(pool: try database.pool(.api))
        store = PostgresPartUploadStore(pool: try database.pool(.api))
        sweep = PostgresSweepStore(pool: try database.pool(.worker))
    }

    private func voice() async throws -> EntryID {
        let entry = person.voice(size: 2_500)
        _ = try await entries.create(entry, by: person.member)
        return entry.id
    }

    private func open(
        _ id: EntryID, _ name: String, replacing: String? = nil, most: Int = 20
    ) async throws(DiaryError) -> PartUploadState? {
        let opening = PartUploadOpening(id: name, partSize: 1_000, replacing: replacing, most: most)
        return try await store.openPartUpload(opening, of: id, by: person.member)
    }

    private func set(_ id: EntryID, _ name: String) async throws -> StoredPartUpload {
        let state = try #require(try await store.partUpload(of: id, by: person.member))
        return StoredPartUpload(key: state.key, id: name, storedAt: .now)
    }

    @Test("of parallel openings one stores its set, and all get that one")
    func parallelOpenings() async throws {
        let id = try await voice()

        let states = try await parallel(10) { number in try await open(id, "set-\(number)") }

        #expect(Set(states.compactMap { $0?.id }).count == 1)
        #expect(states.allSatisfy { $0?.partSize == 1_000 && $0?.size == 2_500 && $0?.isOpen == true })
        #expect(try await store.partUpload(of: id, by: person.member)?.id == states.first??.id)
    }

    @Test("a set that the store has dropped is replaced, once; an abort ends the one that it names and no other")
    func replacing() async throws {
        let id = try await voice()
        _ = try await open(id, "first")

        #expect(try await open(id, "second", replacing: "first")?.id == "second")
        #expect(try await open(id, "third", replacing: "first")?.id == "second")
        #expect(try await !store.closePartUpload("first", of: id, by: person.member))
        #expect(try await store.closePartUpload("second", of: id, by: person.member))
        #expect(try await store.partUpload(of: id, by: person.member)?.id == nil)
        #expect(try await open(id, "fourth")?.id == "fourth")
    }

    @Test("of parallel openings for many entries as many as an account may have are made; one that is cancelled lets another be opened")
    func bounded() async throws {
        var ids: [EntryID] = []
        for _ in 0..<10 { ids.append(try await voice()) }
        let all = ids

        let states = try await parallel(10) { number in try await open(all[number], "set", most: 3) }

        let opened = zip(all, states).filter { $1?.id != nil }.map(\.0)
        #expect(opened.count == 3 && states.allSatisfy { $0 != nil })
        let first = try #require(opened.first)
        #expect(try await open(first, "set", most: 3)?.id == "set", "one that is open stays so")
        #expect(try await store.closePartUpload("set", of: first, by: person.member))
        let late = try #require(all.first { !opened.contains($0) })
        #expect(try await open(late, "set", most: 3)?.id == "set")
        // Nor does an entry count that has its recording.
        try await database.change("update entries set status = 'uploaded' where id = $1", .uuid(late.uuid))
        #expect(try await open(first, "set", most: 3)?.id == "set")
    }

    @Test("a part is taken while its entry waits and its set is open, and is told why not")
    func states() async throws {
        let id = try await voice()
        _ = try await open(id, "set")
        let key = try await set(id, "set").key

        #expect(try await store.partUploadState("set", of: key) == .awaiting)
        #expect(try await store.partUploadState("other", of: key) == .gone)
        for (change, expected) in [
            ("status = 'failed', stage = 'verify', stage_code = 'upload_expired'", PartSetState.closed),
            ("status = 'uploaded', stage = 'verify', stage_code = null", .finished), ("deleted_at = now(), personal = null", .gone),
        ] {
            try await database.change("update entries set \(change) where id = $1", .uuid(id.uuid))
            #expect(try await store.partUploadState("set", of: key) == expected, "\(change)")
        }
        #expect(try await store.partUpload(of: id, by: person.member) == nil)
    }

    @Test("D7: an entry in the trash takes parts, and a closed account's parts are kept; of an account that is erased they are not (C5)")
    func closed() async throws {
        let id = try await voice()
        _ = try await open(id, "set")
        let key = try await set(id, "set").key
        _ = try await entries.moveToTrash(id, expecting: nil, days: 30, keyID: person.keyID, by: person.member)
        #expect(try await store.partUploadState("set", of: key) == .awaiting)

        for (change, expected) in [("disabled_at", PartSetState.closed), ("deleted_at", .gone)] {
            try await database.change("update users set \(change) = now() where id = $1", .uuid(person.owner.user.uuid))
            #expect(try await store.partUploadState("set", of: key) == expected)
        }
    }

    @Test("an entry says how many others of its account have a set, and its completion whether it has had one")
    func counted() async throws {
        let (first, second) = (try await voice(), try await voice())
        _ = try await open(first, "set")
        #expect(try await store.partUpload(of: first, by: person.member)?.others == 0)
        #expect(try await store.partUpload(of: second, by: person.member)?.others == 1)

        for (id, hasParts) in [(first, true), (second, false)] {
            let object = try #require(try await entries.entry(id, of: person.member)?.facts.object)
            let completed = try await entries.completeUpload(
                id, object: object, size: 2_500, keyID: person.keyID, job: NewJob(.verify), by: person.member)
            #expect(completed.outcome.name == "enqueued" && completed.hasParts == hasParts)
        }
        #expect(try await store.partUpload(of: second, by: person.member)?.others == 0)
    }

    @Test("a text and an entry that no longer waits get no set; a refused recording's new object has none")
    func others() async throws {
        let text = person.text()
        _ = try await entries.create(text, by: person.member)
        #expect(try await store.partUpload(of: text.id, by: person.member) == nil)
        #expect(try await open(text.id, "set") == nil)
        let id = try await voice()
        _ = try await open(id, "set")
        let before = try await set(id, "set").key
        try await database.change(
            "update entries set status = 'failed', stage = 'verify', stage_code = 'upload_hash_mismatch' where id = $1", .uuid(id.uuid))
        #expect(try await open(id, "late") == nil)

        _ = try await entries.reopenUpload(
            id, UploadReopening(keyID: person.keyID, windowSeconds: 60, object: UUID()), by: person.member)

        let state = try #require(try await store.partUpload(of: id, by: person.member))
        #expect(state.id == nil && state.key != before)
    }

    @Test("D7: the sweep reads sets of entries that wait or have just expired, and names those that none waits for")
    func sweeping() async throws {
        let (waiting, done, expired, long) = (try await voice(), try await voice(), try await voice(), try await voice())
        var sets: [EntryID: StoredPartUpload] = [:]
        for id in [waiting, done, expired, long] {
            _ = try await open(id, "set")
            sets[id] = try await set(id, "set")
        }
        try await database.change("update entries set status = 'transcribed' where id = $1", .uuid(done.uuid))
        for (id, age) in [(expired, "1 hour"), (long, "25 hours")] {
            try await database.change(
                """
                update entries set status = 'failed', stage = 'verify', stage_code = 'upload_expired', upload_expires_at = now() - interval '\(age)'
                where id = $1
                """, .uuid(id.uuid))
        }

        let mine = try await sweep.awaitingParts(after: nil, limit: 10_000).filter { $0.upload.owner == person.owner }
        #expect(mine.map(\.upload.entry) == [waiting, expired].sorted { $0.description < $1.description })
        #expect(mine.allSatisfy { $0.parts.plan == PartPlan(partSize: 1_000, count: 3) && $0.parts.id == "set" })
        let unknown = StoredPartUpload(key: try #require(sets[waiting]).key, id: "other", storedAt: .now)
        let asked = [waiting, done, expired, long].compactMap { sets[$0] } + [unknown]
        // Those of the entry that has just expired are kept, as long as they are joined when all are there.
        #expect(try await sweep.orphans(among: asked) == [sets[done], sets[long], unknown].compactMap { $0 })
    }

    @Test("D7: the parts of an entry that expired before it went to the trash stay there as long as its recording would")
    func expiredInTheTrash() async throws {
        let id = try await voice()
        _ = try await open(id, "set")
        let parts = try await set(id, "set")
        _ = try await entries.moveToTrash(id, expecting: nil, days: 30, keyID: person.keyID, by: person.member)
        func expire(before deletion: String) async throws {
            try await database.change(
                """
                update entries set status = 'failed', stage = 'verify', stage_code = 'upload_expired', deleted_at = now() - interval '20 days',
                    upload_expires_at = now() - interval '20 days' - interval '\(deletion)' where id = $1
                """, .uuid(id.uuid))
        }

        try await expire(before: "1 hour")
        #expect(try await sweep.orphans(among: [parts]).isEmpty)
        try await expire(before: "25 hours")
        #expect(try await sweep.orphans(among: [parts]) == [parts])
    }

    @Test("the parts of an entry in the trash stay until it ends there, and are its parts again when it is restored")
    func inTheTrash() async throws {
        let id = try await voice()
        _ = try await open(id, "first")
        let parts = try await set(id, "first")
        _ = try await entries.moveToTrash(id, expecting: nil, days: 30, keyID: person.keyID, by: person.member)

        #expect(try await store.partUpload(of: id, by: person.member) == nil)
        #expect(try await sweep.orphans(among: [parts]).isEmpty)
        _ = try await entries.restore(id, keyID: person.keyID, job: JobID(UUIDv7.make()), by: person.member)
        #expect(try await store.partUpload(of: id, by: person.member)?.id == "first")
        _ = try await entries.moveToTrash(id, expecting: nil, days: 30, keyID: person.keyID, by: person.member)
        _ = try await entries.endTrash(id, expecting: nil, keyID: person.keyID, by: person.member)

        #expect(try await sweep.orphans(among: [parts]) == [parts])
    }
}
