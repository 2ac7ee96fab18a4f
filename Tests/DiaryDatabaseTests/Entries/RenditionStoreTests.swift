import DiaryCore
import DiaryCrypto
import Foundation
import PostgresClient
import TestDatabases
import Testing

@testable import DiaryDatabase

@Suite("Copies and waveforms of recordings", .timeLimit(.minutes(2)))
struct RenditionStoreTests {
    private let fixture: WorkerFixture
    private let sweep: PostgresSweepStore

    init() async throws {
        fixture = try await WorkerFixture.make()
        sweep = PostgresSweepStore(pool: try fixture.database.pool(.worker))
    }

    /// A recording of 1,000 bytes, verified with a copy of 300.
    private func verified(isOriginalKept: Bool = true) async throws -> (id: EntryID, copy: PlayableCopy) {
        let id = EntryID(try await fixture.ready(.verify))
        let copy = PlayableCopy(object: UUID(), sizeBytes: 300, sha256: SecureRandom.bytes(32), isOriginalKept: isOriginalKept)
        _ = try await fixture.transcriptions.finishVerify(
            try await fixture.claim(.verify), facts: WorkerFixture.facts, size: 1_000, sha256: SecureRandom.bytes(32),
            rendition: NewRendition(copy: copy, waveform: fixture.words(1, [7, 7])))
        return (id, copy)
    }

    private func stored() async throws -> Int64 {
        try await fixture.database.int("select stored_bytes from user_sync where user_id = $1", .uuid(fixture.person.owner.user.uuid))
    }

    /// What the sweeper finds of a removed recording.
    private func sweptAudio(_ id: EntryID) async throws -> EndedObject? {
        try await sweep.ended(.removedAudio, limit: 1_000).first { $0.id == id.uuid }
    }

    private func orphans(_ objects: UUID?...) async throws -> [UUID] {
        let owner = fixture.person.owner
        let keys = objects.compactMap { $0 }.map { ObjectKey(kind: .audio, tenant: owner.tenant, user: owner.user, object: $0) }
        return try await sweep.orphans(among: keys).map(\.object)
    }

    @Test("playback, links, exports and transcription read the copy that verification stored, and the waveform its row")
    func read() async throws {
        let (id, copy) = try await verified()

        let recording = try #require(try await fixture.entries.recording(id, of: fixture.person.member))
        let drawn = try #require(try await fixture.entries.waveform(of: id, fixture.person.member))
        let begun = try await fixture.transcriptions.beginEntry(try await fixture.claim(.transcribe)).recording

        #expect(recording.recording.copy == copy && begun.copy == copy)
        #expect(drawn.sealed == [7, 7] && drawn.entry.facts.id == id)
        let original = try #require(recording.recording.entry.facts.object)
        #expect(try await fixture.entries.linkGeneration(of: copy.object, fixture.person.owner) == recording.linkGeneration)
        #expect(try await fixture.entries.linkGeneration(of: original, fixture.person.owner) == recording.linkGeneration)
        #expect(try await fixture.entries.linkGeneration(of: UUID(), fixture.person.owner) == nil)
    }

    @Test("both objects count as stored and are no orphans; without its original only the copy does, and the original is one")
    func storedBytes() async throws {
        let (id, copy) = try await verified()
        #expect(try await stored() == 1_300)
        let object = try await fixture.entries.entry(id, of: fixture.person.member)?.facts.object
        #expect(try await orphans(object, copy.object).isEmpty)

        let (alone, kept) = try await verified(isOriginalKept: false)
        #expect(try await stored() == 1_600)
        let original = try await fixture.entries.entry(alone, of: fixture.person.member)?.facts.object
        #expect(try await orphans(original, kept.object) == [original])
        #expect(try await fixture.entries.recording(alone, of: fixture.person.member)?.recording.original == nil)
    }

    @Test("deleting the entry names the copy, leaves no row, and gives the bytes of both back", arguments: [true, false])
    func deleted(isOriginalKept: Bool) async throws {
        let (id, copy) = try await verified(isOriginalKept: isOriginalKept)

        let gone = try await fixture.entries.delete(id, expecting: nil, keyID: fixture.person.keyID, by: fixture.person.member)

        #expect(gone.written?.copy == copy)
        #expect(try await stored() == 0)
        #expect(try await fixture.database.int("select count(*) from entry_renditions where entry_id = $1", .uuid(id.uuid)) == 0)
        #expect(try await orphans(copy.object) == [copy.object])
        #expect(try await fixture.entries.linkGeneration(of: copy.object, fixture.person.owner) == nil)
        #expect(try await fixture.entries.waveform(of: id, fixture.person.member) == nil)
    }

    @Test("a tombstone that the version before makes has no row either")
    func deletedByTheVersionBefore() async throws {
        let (id, copy) = try await verified()

        try await fixture.database.change(
            "update entries set deleted_at = clock_timestamp(), personal = null, machine = null where id = $1", .uuid(id.uuid))

        #expect(try await fixture.database.int("select count(*) from entry_renditions where entry_id = $1", .uuid(id.uuid)) == 0)
        #expect(try await stored() == 0)
        #expect(try await orphans(copy.object) == [copy.object])
    }

    @Test("a recording that is checked again has the later copy, and the earlier one is an orphan and does not count as stored")
    func again() async throws {
        let (id, first) = try await verified()
        try await fixture.database.change("update jobs set state = 'done' where subject = $1", .uuid(id.uuid))
        try await fixture.database.change(
            "insert into jobs (id, tenant_id, user_id, kind, subject) select gen_random_uuid(), tenant_id, user_id, 'verify', id from entries where id = $1",
            .uuid(id.uuid))
        let second = PlayableCopy(object: UUID(), sizeBytes: 200, sha256: [2], isOriginalKept: true)

        _ = try await fixture.transcriptions.finishVerify(
            try await fixture.claim(.verify), facts: WorkerFixture.facts, size: 1_000, sha256: [1],
            rendition: NewRendition(copy: second, waveform: fixture.words(1)))

        #expect(try await fixture.entries.recording(id, of: fixture.person.member)?.recording.copy == second)
        #expect(try await stored() == 1_200)
        #expect(try await orphans(first.object, second.object) == [first.object])
    }

    private var person: Person { fixture.person }

    private func rows(of id: EntryID) async throws -> Int64 {
        try await fixture.database.int("select count(*) from entry_renditions where entry_id = $1", .uuid(id.uuid))
    }

    /// As its last job would leave it.
    private func finished(isOriginalKept: Bool = true) async throws -> (id: EntryID, recording: RecordingObjects) {
        let (id, copy) = try await verified(isOriginalKept: isOriginalKept)
        try await fixture.database.change("update jobs set state = 'done' where subject = $1", .uuid(id.uuid))
        try await fixture.database.change(
            "update entries set status = 'transcribed', stage = null, uploaded_at = now() - interval '20 days' where id = $1",
            .uuid(id.uuid))
        let original = try await fixture.entries.entry(id, of: person.member)?.facts.object
        return (id, RecordingObjects(original: original, copy: copy.object))
    }

    @Test(
        "removing a recording ends copy and waveform at once, gives their bytes back, and names both objects until they are deleted",
        arguments: [true, false])
    func audioRemoved(isOriginalKept: Bool) async throws {
        let (id, recording) = try await finished(isOriginalKept: isOriginalKept)

        let removed = try await fixture.entries.removeAudio(id, expecting: nil, keyID: person.keyID, by: person.member)

        #expect(removed.written?.objects == recording)
        #expect(try await stored() == 0)
        #expect(try await orphans(recording.original, recording.copy) == [recording.original, recording.copy])
        for object in [recording.original, recording.copy].compactMap({ $0 }) {
            #expect(try await fixture.entries.linkGeneration(of: object, person.owner) == nil)
        }
        #expect(try await fixture.entries.waveform(of: id, person.member)?.sealed == nil)
        #expect(try await sweptAudio(id)?.keys == recording.keys(of: person.owner))
        try await fixture.entries.forgetAudio(id, of: person.owner)
        #expect(try await rows(of: id) == 0)
        #expect(try await stored() == 0)
        #expect(try await sweptAudio(id) == nil)
    }

    @Test("an original that is not kept leaves a copy that plays, which retention removes by its age and the sweeper forgets")
    func retention() async throws {
        let (id, recording) = try await finished(isOriginalKept: false)
        let playing = try #require(try await fixture.entries.recording(id, of: person.member)?.recording)
        #expect(playing.entry.facts.audioRemovedAt == nil && playing.playable?.object == recording.copy)

        #expect(try await sweep.removeAudio(id, of: person.owner))

        #expect(try await stored() == 0)
        #expect(try await sweptAudio(id)?.keys == recording.keys(of: person.owner))
        try await sweep.forget(try #require(try await sweptAudio(id)), of: .removedAudio)
        #expect(try await rows(of: id) == 0)
    }

    @Test("a waveform without a copy goes with its recording")
    func waveformAlone() async throws {
        let id = EntryID(try await fixture.ready(.transcribe))
        try await fixture.database.change("update entries set status = 'transcribed' where id = $1", .uuid(id.uuid))
        #expect(try await rows(of: id) == 1)

        _ = try await fixture.entries.removeAudio(id, expecting: nil, keyID: person.keyID, by: person.member)

        #expect(try await rows(of: id) == 0)
        #expect(try await stored() == 0)
    }

    @Test("in the trash a copy neither plays nor draws nor is an orphan, still counts as stored, and comes back with its entry")
    func trashed() async throws {
        let (id, recording) = try await finished()
        _ = try await fixture.entries.moveToTrash(id, expecting: nil, days: 30, keyID: person.keyID, by: person.member)

        let copy = try #require(recording.copy)
        #expect(try await fixture.entries.linkGeneration(of: copy, person.owner) == nil)
        #expect(try await fixture.entries.recording(id, of: person.member) == nil)
        #expect(try await fixture.entries.waveform(of: id, person.member) == nil)
        #expect(try await orphans(recording.original, recording.copy).isEmpty)
        #expect(try await stored() == 1_300)
        _ = try await fixture.entries.restore(id, keyID: person.keyID, job: JobID(UUIDv7.make()), by: person.member)

        let back = try #require(try await fixture.entries.recording(id, of: person.member)?.recording)
        #expect(back.objects == recording && back.playable?.object == copy)
        #expect(try await fixture.entries.waveform(of: id, person.member)?.sealed == [7, 7])
        #expect(try await fixture.entries.linkGeneration(of: copy, person.owner) != nil)
    }

    @Test("the end in the trash names both objects and leaves neither copy nor waveform", arguments: [true, false])
    func ended(byOwner: Bool) async throws {
        let (id, recording) = try await finished()
        _ = try await fixture.entries.moveToTrash(id, expecting: nil, days: 30, keyID: person.keyID, by: person.member)

        if byOwner {
            let ended = try await fixture.entries.endTrash(id, expecting: nil, keyID: person.keyID, by: person.member)
            #expect(ended.written?.objects == recording)
        } else {
            try await fixture.database.change("update entries set trash_ends_at = now() where id = $1", .uuid(id.uuid))
            #expect(try await sweep.endTrash(id, of: person.owner) == recording)
        }

        #expect(try await rows(of: id) == 0)
        #expect(try await stored() == 0)
        #expect(try await orphans(recording.original, recording.copy) == [recording.original, recording.copy])
    }

    @Test("a recording removed in the trash leaves no copy when the trash ends")
    func removedInTheTrash() async throws {
        let (id, recording) = try await finished()
        _ = try await fixture.entries.moveToTrash(id, expecting: nil, days: 30, keyID: person.keyID, by: person.member)

        #expect(try await sweep.removeAudio(id, of: person.owner))
        #expect(try await stored() == 0)
        let ended = try await fixture.entries.endTrash(id, expecting: nil, keyID: person.keyID, by: person.member)

        #expect(ended.written?.objects == recording)
        #expect(try await rows(of: id) == 0)
        #expect(try await stored() == 0)
    }

    @Test("the comparison with the store asks for copies and their digests, but not for removed ones")
    func compared() async throws {
        let (id, recording) = try await finished(isOriginalKept: false)
        let checks = PostgresRestoreCheck(main: try fixture.database.pool(.backup), keys: try fixture.database.pool(.backup))
        func copies() async throws -> [NamedObject] {
            try await checks.copies(after: nil, limit: 1_000).filter { $0.id == id.uuid }
        }

        let copy = try #require(try await copies().first)
        #expect(copy.object == recording.copy)
        #expect(try await checks.digest(of: copy)?.count == 32)
        #expect(try await checks.recordings(after: nil, limit: 1_000).allSatisfy { $0.id != id.uuid })
        _ = try await fixture.entries.removeAudio(id, expecting: nil, keyID: person.keyID, by: person.member)

        #expect(try await copies().isEmpty)
        #expect(try await checks.digest(of: copy) == nil)
    }

    @Test("the row goes with the account, which is erased as before")
    func erased() async throws {
        let (id, _) = try await verified()

        try await fixture.database.change("delete from entries where id = $1", .uuid(id.uuid))

        #expect(try await fixture.database.int("select count(*) from entry_renditions where entry_id = $1", .uuid(id.uuid)) == 0)
    }
}
