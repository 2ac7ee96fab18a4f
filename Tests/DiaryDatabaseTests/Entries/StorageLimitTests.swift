import Foundation
import PostgresClient
import TestDatabases
import TestSupport
import Testing

@testable import DiaryCore
@testable import DiaryDatabase

@Suite("Limits on storage", .timeLimit(.minutes(2)))
struct StorageLimitTests {
    let database: MigratedDatabase
    let person: Person
    let store: PostgresEntryStore

    init() async throws {
        database = try await MigratedDatabase.shared()
        person = try await Person.make(in: database)
        store = PostgresEntryStore(pool: try database.pool(.api))
    }

    private func voice(_ id: EntryID = EntryID(UUIDv7.make()), size: Int64 = 100, most: Int64?, key: [UInt8]? = nil) -> NewEntry {
        var entry = person.voice(id, size: size, idempotency: key)
        entry.storageLimit = most
        return entry
    }

    private func stored() async throws -> Int64 {
        try await database.int("select stored_bytes from user_sync where user_id = $1", .uuid(person.owner.user.uuid))
    }

    private func outcome(_ entry: NewEntry) async throws -> String {
        do { return try await store.create(entry, by: person.member).name } catch {
            guard error.code == .storageExceeded else { throw error }
            return "storageExceeded"
        }
    }

    @Test(
        "of 100 parallel creates at the limit exactly as many as fit are made, with an idempotency key and without one",
        arguments: [true, false])
    func parallelCreates(withKey: Bool) async throws {
        let outcomes = try await parallel(100) { number in
            try await outcome(voice(most: 1_050, key: withKey ? [UInt8(number)] : nil))
        }

        #expect(outcomes.count { $0 == "created" } == 10)
        #expect(outcomes.count { $0 == "storageExceeded" } == 90)
        #expect(try await stored() == 1_000)
        // A refused request leaves no key behind, so that it is made once the recording fits.
        #expect(
            try await database.int("select count(*) from idempotency_keys where user_id = $1", .uuid(person.owner.user.uuid))
                == (withKey ? 10 : 0))
    }

    @Test("a repetition is answered also when nothing fits any more; a text always fits; without a limit everything does")
    func repetitions() async throws {
        let (id, keyed) = (EntryID(UUIDv7.make()), voice(most: 200, key: [9]))
        #expect(try await outcome(voice(id, most: 200)) == "created")
        #expect(try await outcome(keyed) == "created")

        #expect(try await outcome(voice(id, most: 200)) == "replayed")
        #expect(try await outcome(voice(most: 200, key: [9])) == "replayed")
        #expect(try await outcome(voice(size: 1, most: 200)) == "storageExceeded")
        #expect(try await outcome(person.text()) == "created")
        #expect(try await outcome(voice(most: nil)) == "created")
        #expect(try await stored() == 300)
    }

    @Test("a batch with one that does not fit makes none of them in its transaction")
    func batch() async throws {
        let entries = [voice(size: 60, most: 100), voice(size: 60, most: 100)]
        let refused = await refusal { () throws(DiaryError) in try await store.create(entries, by: person.member) }

        #expect(refused?.code == .storageExceeded)
        #expect(try await stored() == 0)
        #expect(try await store.create([entries[0]], by: person.member).map(\.name) == ["created"])
    }

    @Test("deletion gives the bytes back, once")
    func deletion() async throws {
        let entry = voice(most: 100)
        #expect(try await outcome(entry) == "created")
        for _ in 0..<2 { _ = try await store.delete(entry.id, expecting: nil, keyID: person.keyID, by: person.member) }

        #expect(try await stored() == 0)
        #expect(try await outcome(voice(most: 100)) == "created")
        // The id of a deleted one is taken, and counts no bytes.
        #expect(try await outcome(voice(entry.id, most: 100)) == "deleted")
    }

    @Test("expiry gives the bytes back; the entry waits again only where it fits, and then counts again")
    func expiry() async throws {
        let fixture = try await WorkerFixture.make()
        let (person, sweep) = (fixture.person, PostgresSweepStore(pool: try fixture.database.pool(.worker)))
        let user = Parameter.uuid(person.owner.user.uuid)
        _ = try await fixture.entries.create(person.voice(size: 100), by: person.member)
        let upload = try #require(try await sweep.awaitingUploads(olderThanSeconds: 0, after: nil, limit: 10).first)
        func reopen(_ most: Int64) async -> ErrorCode? {
            let reopening = UploadReopening(keyID: person.keyID, windowSeconds: 3_600, object: UUID(), storageLimit: most)
            return await refusal { () throws(DiaryError) in
                try await fixture.entries.reopenUpload(upload.entry, reopening, by: person.member)
            }?.code
        }
        func stored() async throws -> Int64 {
            try await fixture.database.int("select stored_bytes from user_sync where user_id = $1", user)
        }

        // It waits: a fresh URL counts no more bytes, also when the limit is lower by now.
        #expect(await reopen(10) == nil)
        let isAbandoned = try await sweep.abandonUpload(upload, at: .distantFuture, arrivedBefore: .now, object: nil)
        #expect(isAbandoned)
        #expect(try await stored() == 0)
        #expect(await reopen(99) == .storageExceeded)
        #expect(try await stored() == 0)
        #expect(await reopen(100) == nil)
        #expect(try await stored() == 100)
    }

    @Test("what is counted follows the size that verification writes, and a failed check keeps its bytes")
    func consistent() async throws {
        let fixture = try await WorkerFixture.make()
        let person = fixture.person
        let seeds = (0..<3).map { _ in person.voice(size: 100) }
        for entry in seeds { _ = try await fixture.entries.create(entry, by: person.member) }
        // The size of what arrived, as `verify` writes it, and a failed check, whose recording stays.
        try await fixture.database.change(
            "update entries set size_bytes = 120, status = 'transcribed' where id = $1", .uuid(seeds[0].id.uuid))
        try await fixture.database.change(
            "update entries set status = 'failed', stage = 'verify', stage_code = 'media_unreadable' where id = $1", .uuid(seeds[1].id.uuid)
        )

        let counted = try await fixture.database.int(
            "select stored_bytes from user_sync where user_id = $1", .uuid(person.owner.user.uuid))
        #expect(counted == 320)
    }
}
