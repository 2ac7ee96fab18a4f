import DiaryCrypto
import Foundation
import PostgresClient
import TestSupport
import Testing

@testable import DiaryCore
@testable import DiaryDatabase

@Suite("Recordings that are removed while their texts stay", .timeLimit(.minutes(2)))
struct AudioRemovalTests {
    let fixture: WorkerFixture
    let sweep: PostgresSweepStore

    init() async throws {
        fixture = try await WorkerFixture.make()
        sweep = PostgresSweepStore(pool: try fixture.database.pool(.worker))
    }

    private var store: PostgresEntryStore { fixture.entries }
    private var person: Person { fixture.person }

    /// - Parameter days: how long ago its recording arrived.
    private func voice(_ status: String = "transcribed", days: Int = 0, keepAudio: Bool = false) async throws -> NewEntry {
        var entry = person.voice(size: 100)
        entry.facts.keepAudio = keepAudio
        _ = try await store.create(entry, by: person.member)
        try await fixture.database.change(
            "update entries set status = $2, uploaded_at = now() - make_interval(days => $3) where id = $1",
            .uuid(entry.id.uuid), .text(status), .int4(Int32(days)))
        return entry
    }

    private func remove(_ entry: NewEntry, expecting version: Int64? = nil) async throws(DiaryError) -> RemovalOutcome {
        try await store.removeAudio(entry.id, expecting: version, keyID: person.keyID, by: person.member)
    }

    private func overdue() async throws -> Set<EntryID> { Set(try await sweep.overdueAudio(limit: 100).map(\.entry)) }

    private func configure(_ json: String) async throws {
        try await fixture.database.change(
            "update tenants set configuration = $2::text::jsonb where id = $1", .uuid(person.owner.tenant.uuid), .text(json))
    }

    private func own(_ days: Int?) async throws {
        var patch = ProfilePatch.unchanged
        patch.recordingsRetentionDays = days.map { .set($0) } ?? .clear
        let changed = try await PostgresProfileStore(pool: try fixture.database.pool(.api)).change(
            StoredProfilePatch(nameSealed: .absent, rest: patch), matching: nil, keyID: nil, by: person.member)
        guard case .changed(let profile) = changed else { throw NotWhatWasExpected() }
        #expect(profile.preferences.recordingsRetentionDays == days)
    }

    @Test(
        "a finished recording is removed once, appears in the feed, gives its bytes back and ends its playback; other versions keep theirs")
    func removal() async throws {
        let entry = try await voice()
        let (object, owner) = (try #require(entry.object), person.owner)
        let key = ObjectKey(kind: .audio, tenant: owner.tenant, user: owner.user, object: object)
        #expect(try await store.linkGeneration(of: object, owner) != nil)
        #expect(try await remove(entry, expecting: 2).name == "conflict")

        let removed = try #require(try await remove(entry, expecting: 1).entry)
        #expect(removed.facts.audioRemovedAt != nil && removed.personal?.bytes == [7, 7] && removed.version == 1)
        #expect(try await remove(entry).entry?.facts.changeNumber == removed.facts.changeNumber)

        guard case .page(let page, _, _, _, _) = try await store.changes(from: .beginning, limit: 9, of: person.member) else {
            throw NotWhatWasExpected()
        }
        #expect(page.map(\.facts.audioRemovedAt) == [removed.facts.audioRemovedAt])
        #expect(try await fixture.database.int("select stored_bytes from user_sync") == 0)
        #expect(try await store.linkGeneration(of: object, owner) == nil)
        #expect(try await sweep.orphans(among: [key]) == [key])
        #expect(try await sweep.ended(.removedAudio, limit: 10).map(\.keys) == [RecordingObjects(original: object).keys(of: owner)])
        try await store.forgetAudio(entry.id, of: owner)
        #expect(try await sweep.ended(.removedAudio, limit: 10).isEmpty)
        #expect(try await store.entry(entry.id, of: person.member)?.facts.object == nil)
    }

    @Test(
        "the recording of an entry that is not finished stays",
        arguments: ["awaiting_upload", "uploaded", "transcribing", "cleaning", "failed"])
    func unfinished(status: String) async throws {
        let entry = try await voice(status, days: 40)
        try await configure(#"{"recordings.retention_days": 1}"#)

        #expect(try await remove(entry).name == "conflict")
        #expect(try await overdue().isEmpty)
        #expect(try await !sweep.removeAudio(entry.id, of: person.owner))
        #expect(try await store.entry(entry.id, of: person.member)?.facts.audioRemovedAt == nil)
    }

    @Test("the shorter of the app's days and the member's own hold, unless the app forbids the member's; kept recordings stay")
    func days() async throws {
        let (young, old) = (try await voice(days: 6), try await voice(days: 20))
        let kept = try await voice(days: 40, keepAudio: true)
        #expect(try await overdue().isEmpty)

        try await configure(#"{"recordings.retention_days": 10}"#)
        #expect(try await overdue() == [old.id])
        try await own(5)
        #expect(try await overdue() == [young.id, old.id])
        try await own(30)
        #expect(try await overdue() == [old.id])
        try await configure("{}")
        #expect(try await overdue().isEmpty)
        try await own(15)
        #expect(try await overdue() == [old.id])
        try await configure(#"{"recordings.retention_choice": "off"}"#)
        #expect(try await overdue().isEmpty)
        try await own(nil)
        try await configure(#"{"recordings.retention_days": 1}"#)

        #expect(try await sweep.removeAudio(old.id, of: person.owner))
        #expect(try await !sweep.removeAudio(old.id, of: person.owner))
        #expect(try await !sweep.removeAudio(kept.id, of: person.owner))
        #expect(try await overdue() == [young.id])
    }

    @Test("recordings in the trash end by age too, without a new place in the feed; the restored entry tells it")
    func inTheTrash() async throws {
        let entry = try await voice(days: 20)
        _ = try await store.moveToTrash(entry.id, expecting: nil, days: 30, keyID: person.keyID, by: person.member)
        let number = try await fixture.database.int("select change_number from entries")
        try await configure(#"{"recordings.retention_days": 10}"#)

        #expect(try await overdue() == [entry.id])
        #expect(try await sweep.removeAudio(entry.id, of: person.owner))
        #expect(try await fixture.database.int("select change_number from entries") == number)
        #expect(try await fixture.database.int("select stored_bytes from user_sync") == 0)
        let outcome = try await store.restore(entry.id, keyID: person.keyID, job: JobID(UUIDv7.make()), by: person.member)
        guard case .restored(let back, nil) = outcome else { throw NotWhatWasExpected() }
        #expect(back.facts.audioRemovedAt != nil)
    }

    @Test("a recognition that waited for consent ends with its recording, and a later consent queues none")
    func consent() async throws {
        let entry = try await voice()
        func wait() async throws {
            try await fixture.database.change(
                "update entries set stage = 'transcribe', stage_code = 'consent_required' where id = $1", .uuid(entry.id.uuid))
        }
        try await wait()
        #expect(try await store.entry(entry.id, of: person.member)?.facts.processing?.action == .giveConsent)
        _ = try await remove(entry)
        #expect(try await store.entry(entry.id, of: person.member)?.facts.processing == nil)

        try await wait()
        _ = try await PostgresProfileStore(pool: try fixture.database.pool(.api)).change(
            StoredProfilePatch(nameSealed: .absent, rest: ProfilePatch(hostedProcessingConsent: true)), matching: nil, keyID: nil,
            by: person.member)
        #expect(try await store.entry(entry.id, of: person.member)?.facts.status == .transcribed)
        #expect(try await fixture.database.int("select count(*) from jobs where subject = $1", .uuid(entry.id.uuid)) == 0)
    }

    @Test("without its recording an entry is cleaned again but not transcribed again")
    func reprocessing() async throws {
        let entry = try await voice()
        try await fixture.database.change("update entries set machine = 'sealed', machine_version = 1 where id = $1", .uuid(entry.id.uuid))
        _ = try await remove(entry)

        for (stage, name) in [(NewRun.Stage.transcribe, "already"), (.clean, "enqueued")] {
            let outcome = try await store.reprocess(
                entry.id, NewRun(stage: stage), keyID: person.keyID, job: JobID(UUIDv7.make()), claim: nil, by: person.member)
            #expect(outcome.name == name)
        }
    }
}
