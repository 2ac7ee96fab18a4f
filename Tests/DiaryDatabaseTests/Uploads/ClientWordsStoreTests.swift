import Foundation
import PostgresClient
import TestDatabases
import TestSupport
import Testing

@testable import DiaryCore
@testable import DiaryDatabase

@Suite("Words of clients, and recordings on devices, as they are stored", .timeLimit(.minutes(2)))
struct ClientWordsStoreTests {
    private func stored(_ id: EntryID, _ fixture: WorkerFixture) async throws -> StoredEntry {
        try #require(try await fixture.entries.entry(id, of: fixture.person.member))
    }

    private static func text(_ id: EntryID, _ column: String, _ fixture: WorkerFixture) async throws -> String? {
        try await fixture.database.text("select \(column)::text from entries where id = $1", .uuid(id.uuid))
    }

    @Test(
        "what comes after the check is what the client wants, and what there is",
        arguments: [
            (false, nil, "uploaded transcribe"), (false, .never, "transcribed"), (true, .always, "uploaded transcribe verify"),
            (true, .never, "cleaning clean"),
        ] as [(Bool, Recognition?, String)])
    func checked(hasWords: Bool, recognise: Recognition?, expected: String) async throws {
        let fixture = try await WorkerFixture.make()
        var entry = fixture.person.voice()
        if hasWords { (entry.machine, entry.segments) = ([1], [2]) }
        entry.recognise = recognise
        _ = try await fixture.entries.create(entry, by: fixture.person.member)
        #expect(try await stored(entry.id, fixture).machine?.version == (hasWords ? 1 : nil))
        _ = try await fixture.entries.completeUpload(
            entry.id, size: 1_000, keyID: fixture.person.keyID, job: NewJob(.verify), by: fixture.person.member)
        let job = try await fixture.claim(.verify)
        try await fixture.begin(job)

        let next = try await fixture.finish(job)

        #expect(try await Self.text(entry.id, "concat_ws(' ', status, stage, rerun_from)", fixture) == expected)
        #expect(try await Self.text(entry.id, "recognise", fixture) == nil)
        for kind in [JobKind.transcribe, .clean] { #expect(try await fixture.living(kind, entry.id.uuid) == (next == kind ? 1 : 0)) }
        #expect(next == expected.split(separator: " ").dropFirst().first.map { JobKind(rawValue: String($0)) })
    }

    @Test("words take the place of a job that a worker holds, whose result is refused, and of segments with their corrections")
    func under() async throws {
        let fixture = try await WorkerFixture.make()
        let id = EntryID(try await fixture.ready(.transcribe))
        let job = try await fixture.claim(.transcribe)
        try await fixture.begin(job)
        let revision = SealedRevision(layer: .raw, number: 1, sealed: [9])
        var write = TranscriptWrite(
            id: id, machine: SealedColumn(bytes: [5], version: 1), language: "fr", recognise: .never, personalVersion: 1,
            status: .transcribing, stage: .transcribe, next: .clean, replacesSegments: true, segments: [6], replaced: [revision])

        #expect(try await give(write, fixture).name == "written")

        let given = try await stored(id, fixture)
        #expect(given.machine == SealedColumn(bytes: [5], version: 1) && given.facts.language == "fr" && given.facts.status == .cleaning)
        #expect(try await fixture.living(.transcribe, id.uuid) == 0)
        #expect(try await fixture.living(.clean, id.uuid) == 1)
        await #expect(throws: WorkError.leaseLost) { try await fixture.finish(job) }
        #expect(try await fixture.entries.transcript(id, timed: true, of: fixture.person.member)?.segments?.bytes == [6])
        #expect(try await fixture.database.int("select count(*) from entry_revisions where entry_id = $1", .uuid(id.uuid)) == 1)
        #expect(try await give(write, fixture).name == "conflict", "the entry has another version by now")
        (write.machine.version, write.status, write.stage, write.segments, write.replaced) = (2, .cleaning, .clean, nil, [])
        #expect(try await give(write, fixture).name == "written")
        #expect(try await fixture.entries.transcript(id, timed: true, of: fixture.person.member)?.segments == nil)
        #expect(try await fixture.living(.clean, id.uuid) == 1)
    }

    private func give(_ write: TranscriptWrite, _ fixture: WorkerFixture) async throws -> WriteOutcome {
        try await fixture.entries.giveTranscript(write, keyID: fixture.person.keyID, by: fixture.person.member)
    }

    @Test("a recording on a device is announced, counted, checked, and none any more; one that does not come leaves the entry as it was")
    func device() async throws {
        let fixture = try await WorkerFixture.make()
        let (member, store) = (fixture.person.member, PostgresSweepStore(pool: try fixture.database.pool(.worker)))
        var entry = fixture.person.voice()
        entry.facts = GivenFacts(kind: .voice, durationSeconds: 3)
        (entry.object, entry.isOnDevice) = (nil, true)
        _ = try await fixture.entries.create(entry, by: member)
        #expect(try await stored(entry.id, fixture).facts.status == .transcribed)
        #expect(try await fixture.entries.removeAudio(entry.id, expecting: nil, keyID: fixture.person.keyID, by: member).name == "conflict")

        func announce(_ size: Int64, limit: Int64? = nil) async throws -> StoredEntry? {
            let upload = DeviceUpload(
                facts: GivenFacts(kind: .voice, sizeBytes: size, contentType: "audio/mp4", sha256: [7]), object: UUID(),
                keyID: fixture.person.keyID, windowSeconds: 60, storageLimit: limit, uniqueDigest: [7])
            return try await fixture.entries.openDeviceUpload(entry.id, upload, by: member)
        }

        await #expect(throws: DiaryError.self) { _ = try await announce(1_000, limit: 999) }
        let first = try #require(try await announce(900)).facts
        #expect(first.status == .awaitingUpload)
        #expect(try await announce(900)?.facts.object == first.object, "what may have been sent to it is not lost")
        let other = try #require(try await announce(1_000, limit: 1_000)).facts
        #expect(other.sizeBytes == 1_000 && other.object != first.object, "its own digest and size are not counted twice")
        let upload = try #require(try await store.awaitingUploads(olderThanSeconds: 0, after: nil, limit: 10).first)
        #expect(try await store.abandonUpload(upload, at: .now.addingTimeInterval(120), arrivedBefore: .now, object: nil))
        let back = try await stored(entry.id, fixture).facts
        #expect(back.isOnDevice && back.status == .transcribed && back.processing == nil && back.durationSeconds == 3)
        #expect(try await fixture.database.int("select stored_bytes from user_sync where user_id = $1", .uuid(member.user.uuid)) == 0)

        _ = try await announce(1_000)
        let object = try #require(try await stored(entry.id, fixture).facts.object)
        _ = try await fixture.entries.completeUpload(
            entry.id, object: object, size: 1_000, keyID: fixture.person.keyID, job: NewJob(.verify), by: member)
        let job = try await fixture.claim(.verify)
        try await fixture.begin(job)
        #expect(try await fixture.finish(job) == .transcribe)
        #expect(try await announce(1_000) == nil)
    }
}
