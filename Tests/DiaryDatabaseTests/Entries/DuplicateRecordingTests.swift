import DiaryCrypto
import Foundation
import PostgresClient
import TestSupport
import Testing

@testable import DiaryCore
@testable import DiaryDatabase

@Suite("Recordings that the account has already", .timeLimit(.minutes(2)))
struct DuplicateRecordingTests {
    let database: MigratedDatabase
    let person: Person
    let store: PostgresEntryStore
    let digest = SecureRandom.bytes(32)

    init() async throws {
        database = try await MigratedDatabase.shared()
        person = try await Person.make(in: database)
        store = PostgresEntryStore(pool: try database.pool(.api))
    }

    /// The outcome's name, or the entry that a refusal names.
    private func outcome(_ entry: NewEntry, by person: Person? = nil) async throws -> String {
        do { return try await store.create(entry, by: (person ?? self.person).member).name } catch {
            guard error.code == .duplicateRecording else { throw error }
            return error.entry?.description ?? "unnamed"
        }
    }

    private func keys() async throws -> Int64 {
        try await database.int("select count(*) from idempotency_keys where user_id = $1", .uuid(person.owner.user.uuid))
    }

    @Test("a second entry with the same digest is refused, names the first, and leaves neither an entry nor a key behind")
    func refused() async throws {
        let first = EntryID(UUIDv7.make())
        #expect(try await outcome(person.unique(first, digest: digest)) == "created")

        #expect(try await outcome(person.unique(digest: digest)) == first.description)
        #expect(try await outcome(person.unique(digest: digest, idempotency: [9])) == first.description)

        #expect(try await keys() == 0)
        #expect(try await database.int("select count(*) from entries where user_id = $1", .uuid(person.owner.user.uuid)) == 1)
        // The key is free, for the same request with the permission.
        var allowed = person.unique(digest: digest, idempotency: [9])
        allowed.uniqueDigest = nil
        #expect(try await outcome(allowed) == "created")
    }

    @Test("a repetition by id or by key gets its own entry, also when another one has the recording too")
    func repetition() async throws {
        let id = EntryID(UUIDv7.make())
        let keyed = person.unique(digest: SecureRandom.bytes(32), idempotency: [9])
        var second = person.unique(digest: digest)
        second.uniqueDigest = nil
        #expect(try await outcome(person.unique(id, digest: digest)) == "created")
        #expect(try await outcome(second) == "created")
        #expect(try await outcome(keyed) == "created")

        #expect(try await outcome(person.unique(id, digest: digest)) == "replayed")
        #expect(try await outcome(person.unique(digest: SecureRandom.bytes(32), idempotency: [9])) == "replayed")
    }

    @Test("a recording in the trash is no duplicate, and its entry can be restored beside the new one")
    func inTheTrash() async throws {
        let (old, new) = (EntryID(UUIDv7.make()), EntryID(UUIDv7.make()))
        #expect(try await outcome(person.unique(old, digest: digest)) == "created")
        _ = try await store.moveToTrash(old, expecting: nil, days: 30, keyID: person.keyID, by: person.member)

        #expect(try await outcome(person.unique(new, digest: digest)) == "created")
        let restored = try await store.restore(old, keyID: person.keyID, job: JobID(UUIDv7.make()), by: person.member)

        guard case .restored(let entry, _) = restored else { throw NotWhatWasExpected() }
        #expect(entry.facts.sha256 == digest)
        #expect(try await outcome(person.unique(digest: digest)) == old.description)
    }

    @Test("C1: another member of the app and the same member's namesake in another app may have the same recording")
    func isolated() async throws {
        let neighbour = try await Person.make(in: database, tenant: person.owner.tenant)
        let namesake = try await Person.make(in: database, user: person.owner.user)
        #expect(try await outcome(person.unique(digest: digest)) == "created")

        for other in [neighbour, namesake] {
            #expect(try await outcome(other.unique(digest: digest), by: other) == "created")
        }
    }

    @Test("of 20 parallel creations of one recording one is made, and the others name it")
    func parallelCreations() async throws {
        let outcomes = try await parallel(20) { _ in try await outcome(person.unique(digest: digest)) }

        let made = try await database.text("select id::text from entries where user_id = $1", .uuid(person.owner.user.uuid))
        #expect(outcomes.count { $0 == "created" } == 1)
        #expect(outcomes.count { $0 == made } == 19)
    }

    @Test("a deleted entry's recording may come again; a failed entry's is refused")
    func ended() async throws {
        let (gone, failed) = (EntryID(UUIDv7.make()), EntryID(UUIDv7.make()))
        #expect(try await outcome(person.unique(gone, digest: digest)) == "created")
        _ = try await store.delete(gone, expecting: nil, keyID: person.keyID, by: person.member)
        #expect(try await outcome(person.unique(failed, digest: digest)) == "created")
        try await database.change(
            "update entries set status = 'failed', stage = 'verify', stage_code = 'upload_expired' where id = $1", .uuid(failed.uuid))

        #expect(try await outcome(person.unique(digest: digest)) == failed.description)
    }

    @Test("of several entries with a digest one whose recording has arrived is named, and not the first that was announced")
    func arrived() async throws {
        let (announced, arrived) = (EntryID(UUIDv7.make()), EntryID(UUIDv7.make()))
        #expect(try await outcome(person.unique(announced, digest: digest)) == "created")
        var second = person.unique(arrived, digest: digest)
        second.uniqueDigest = nil
        #expect(try await outcome(second) == "created")
        #expect(try await outcome(person.unique(digest: digest)) == announced.description)

        try await database.change("update entries set status = 'uploaded', stage = 'verify' where id = $1", .uuid(arrived.uuid))

        #expect(try await outcome(person.unique(digest: digest)) == arrived.description)
    }

    @Test("a batch with one makes none of its transaction; alone it names the other entry, which may be of the same batch")
    func batch() async throws {
        let first = person.unique(digest: digest)
        let entries = [first, person.text(), person.unique(digest: digest)]
        let refused = await refusal { () throws(DiaryError) in try await store.create(entries, by: person.member) }
        #expect(refused?.code == .duplicateRecording)
        #expect(try await database.int("select count(*) from entries where user_id = $1", .uuid(person.owner.user.uuid)) == 0)

        #expect(try await store.create([first], by: person.member).map(\.name) == ["created"])
        let alone = await refusal { () throws(DiaryError) in try await store.create([entries[2]], by: person.member) }
        #expect(alone?.entry == first.id)
    }

    @Test("the digest is looked up by its index")
    func plan() async throws {
        let session = try await database.pool(.api).run([
            Statement("select set_owner($1, $2)", person.owner.parameters), Statement("set local enable_seqscan = off"),
            Statement(
                "explain select from entries e where e.tenant_id = '\(person.owner.tenant)' and e.user_id = '\(person.owner.user)' and e.sha256 = '\\x00' and e.deleted_at is null"
            ),
        ])
        let lines = try session[2].map { row throws(DatabaseError) in try row.text(0) }
        #expect(lines.contains { $0.contains("entries_by_digest") }, "\(lines)")
    }
}
