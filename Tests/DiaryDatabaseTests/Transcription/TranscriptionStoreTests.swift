import DiaryCrypto
import Foundation
import PostgresClient
import Testing

@testable import DiaryCore
@testable import DiaryDatabase

@Suite("Work on recordings", .serialized, .timeLimit(.minutes(3)))
struct TranscriptionStoreTests {
    @Test("a recording goes through its stages; each result and the next job are one write; 20 parallel ends are one")
    func recording() async throws {
        let fixture = try await WorkerFixture.make()
        let member = fixture.person.member
        let id = EntryID(try await fixture.ready(.verify))
        func facts() async throws -> EntryFacts { try #require(try await fixture.entries.entry(id, of: member)?.facts) }

        for kind in JobCatalogue.diary.stages {
            let during = try #require(JobCatalogue.diary.stage(kind)).running
            let (after, next) = JobCatalogue.diary.entry(after: kind)
            let job = try await fixture.claim(kind)
            let begun = try await fixture.transcriptions.beginEntry(job).entry
            #expect(begun.facts.status == during && begun.facts.processing?.stage == kind && begun.facts.processing?.attempt == 1)
            let before = try await facts().changeNumber

            let ends = try await parallel(20) { _ in
                await refusal { () throws(WorkError) in try await fixture.finish(job) }
            }

            #expect(ends.count { $0 == nil } == 1)
            #expect(ends.count { $0 == .leaseLost } == 19)
            #expect(try await facts().status == after)
            #expect(try await facts().changeNumber > before)
            #expect(try await facts().processing?.stage == next)
            #expect(try await fixture.database.int("select count(*) from jobs where state = 'ready'") == (next == nil ? 0 : 1))
            if let next { #expect(try await fixture.living(next, id.uuid) == 1) }
        }

        let done = try await facts()
        #expect(done.processing == nil && done.durationSeconds == 12.5 && done.sizeBytes == 1_001 && done.language == "en")
        let stored = try await fixture.entries.entry(id, of: member)
        // Every stage but verify writes the machine's part once.
        #expect(stored?.machine == SealedColumn(bytes: [6], version: WorkerFixture.written))
        #expect(stored?.version == 1, "the worker's writes do not count against If-Match")
        #expect(try await fixture.entries.transcript(id, timed: true, of: member)?.segments == SealedColumn(bytes: [6], version: 1))
        let untimed = try await fixture.entries.transcript(id, timed: false, of: member)
        #expect(untimed?.entry.machine == stored?.machine && untimed?.segments == nil)
        #expect(try await fixture.transcriptions.segments(id, of: fixture.person.owner) == SealedColumn(bytes: [6], version: 1))
        #expect(try await fixture.database.int("select count(*) from jobs where state <> 'done'") == 0)
    }

    @Test("a recording that is recognised again after its clean-up failed has its earlier text replaced")
    func heardAnew() async throws {
        let fixture = try await WorkerFixture.make()
        let id = EntryID(try await fixture.ready(.clean))
        try await fixture.queue.discard(try await fixture.claim(.clean), code: .cleanupUnavailable)
        #expect(
            try await fixture.entries.reprocess(
                id, NewRun(stage: .transcribe), keyID: fixture.person.keyID, job: fixture.nextJob(), claim: nil, by: fixture.person.member
            ).name == "enqueued")
        let job = try await fixture.claim(.transcribe)
        let version = try await fixture.transcriptions.beginEntry(job).entry.machine?.version ?? 0

        let next = try await fixture.transcriptions.finishTranscribe(
            job, machine: fixture.words(version + 1, [8]), segments: fixture.words(version + 1, [9]), language: "de", insteadOf: "en")

        #expect(try await fixture.entries.entry(id, of: fixture.person.member)?.machine == SealedColumn(bytes: [8], version: version + 1))
        let heard = try await fixture.entries.transcript(id, timed: true, of: fixture.person.member)
        #expect(heard?.segments == SealedColumn(bytes: [9], version: version + 1))
        #expect(next == .clean)
        #expect(try await fixture.living(.clean, id.uuid) == 1)
    }

    @Test(
        "for an entry deleted during its job `begin` reports it and ends the job, and a result writes no text and no next job",
        arguments: JobCatalogue.diary.stages)
    func deletedMeanwhile(kind: JobKind) async throws {
        let fixture = try await WorkerFixture.make()
        for begins in [true, false] {
            let id = EntryID(try await fixture.ready(kind))
            let job = try await fixture.claim(kind)
            _ = try await fixture.entries.delete(id, expecting: nil, keyID: fixture.person.keyID, by: fixture.person.member)
            let tombstone = try await fixture.database.text("select (entries)::text from entries where id = $1", .uuid(id.uuid))

            if begins {
                #expect(await refusal { () throws(WorkError) in try await fixture.begin(job) } == .ownerGone)
            } else {
                try await fixture.finish(job)
            }

            #expect(try await fixture.state(job) == "done 1 0 0")
            #expect(try await fixture.database.text("select (entries)::text from entries where id = $1", .uuid(id.uuid)) == tombstone)
            #expect(try await fixture.database.int("select count(*) from jobs where subject = $1 and state <> 'done'", .uuid(id.uuid)) == 0)
            #expect(try await fixture.database.int("select count(*) from entry_segments where entry_id = $1", .uuid(id.uuid)) == 0)
        }
    }

    @Test("20 recordings deleted while their results are written: never text in a tombstone, never a job without its entry")
    func deleteRaces() async throws {
        let fixture = try await WorkerFixture.make()
        for _ in 0..<20 {
            let id = EntryID(try await fixture.ready(.transcribe))
            let job = try await fixture.claim(.transcribe)

            _ = try await parallel(2) { side in
                if side == 0 {
                    try await fixture.finish(job)
                } else {
                    _ = try await fixture.entries.delete(id, expecting: nil, keyID: fixture.person.keyID, by: fixture.person.member)
                }
            }

            #expect(try await fixture.database.int("select count(*) from entry_segments where entry_id = $1", .uuid(id.uuid)) == 0)
            #expect(try await fixture.database.int("select count(*) from jobs where subject = $1 and state <> 'done'", .uuid(id.uuid)) == 0)
            #expect(try await fixture.entries.entry(id, of: fixture.person.member) == nil)
        }
    }

    @Test(
        "text sealed under a key that is no longer live is not written, and the job is not ended",
        arguments: [JobKind.transcribe, .clean, .export])
    func deadKey(kind: JobKind) async throws {
        let fixture = try await WorkerFixture.make()
        try await fixture.ready(kind)
        let job = try await fixture.claim(kind)
        try await fixture.database.change("update user_sync set key_id = gen_random_uuid()")
        let before = try await fixture.dump()

        #expect(await refusal { () throws(WorkError) in try await fixture.finish(job) } == .ownerGone)

        #expect(try await fixture.dump() == before)
    }

    @Test("the next job and what the entry shows come from the catalogue; a revised pipeline needs no other statement")
    func successorOfCatalogue() async throws {
        let fixture = try await WorkerFixture.make()
        let translate = JobKind(rawValue: "translate")
        let catalogue = JobCatalogue([
            .verify, .transcribe,
            JobDescriptor(
                kind: .clean, queue: .text,
                subject: .entry(EntryStage(waiting: .cleaning, running: .cleaning)),
                successor: translate),
            JobDescriptor(
                kind:
                    translate, queue: .text, subject: .entry(EntryStage(waiting: .cleaning, running: .cleaning))),
        ])
        let store = PostgresTranscriptionStore(pool: try fixture.database.pool(.worker), catalogue: catalogue)
        let id = try await fixture.ready(.clean)
        func shown() async throws -> String? {
            try await fixture.database.text("select concat_ws(' ', status, stage, stage_attempt) from entries where id = $1", .uuid(id))
        }

        let next = try await store.finishMachine(try await fixture.claim(.clean), machine: fixture.words(2))

        #expect(next == translate)
        #expect(try await shown() == "cleaning translate 0")
        let job = try await fixture.claim(translate)
        #expect(job.subject == id)
        _ = try await store.beginEntry(job)
        #expect(try await shown() == "cleaning translate 1")
        #expect(try await store.finishMachine(job, machine: fixture.words(3)) == nil)
        #expect(try await shown() == "transcribed 0")
        #expect(try await fixture.database.int("select count(*) from jobs where state <> 'done'") == 0)
    }

    @Test("what waited for consent is queued when it is given, each with its next number in the feed; what failed otherwise is not")
    func consent() async throws {
        let fixture = try await WorkerFixture.make()
        let member = fixture.person.member
        let failed = EntryID(try await fixture.ready(.transcribe))
        try await fixture.queue.discard(try await fixture.claim(.transcribe), code: .consentRequired)
        let other = EntryID(try await fixture.ready(.transcribe))
        try await fixture.queue.discard(try await fixture.claim(.transcribe), code: .speechUnavailable)
        let uncleaned = EntryID(try await fixture.ready(.clean))
        let job = try await fixture.claim(.clean)
        _ = try await fixture.transcriptions.beginEntry(job)
        #expect(
            try await fixture.transcriptions.finishMachine(
                job, machine: fixture.words(2), replaced: .nothing, waiting: .consentRequired) == nil)
        func facts(_ id: EntryID) async throws -> EntryFacts { try #require(try await fixture.entries.entry(id, of: member)?.facts) }
        let shown = try await facts(uncleaned)
        #expect(shown.status == .transcribed && shown.processing?.stage == .clean && shown.processing?.action == .giveConsent)
        let before = try await facts(uncleaned).changeNumber

        let profiles = PostgresProfileStore(pool: try fixture.database.pool(.api))
        for _ in 0..<2 {
            _ = try await profiles.change(
                StoredProfilePatch(nameSealed: .absent, rest: ProfilePatch(hostedProcessingConsent: true)), matching: nil, keyID: nil,
                by: member)
        }

        let (first, second) = (try await facts(failed), try await facts(uncleaned))
        #expect(first.status == .uploaded && first.processing?.stage == .transcribe && first.processing?.code == nil)
        #expect(second.status == .cleaning && second.processing?.stage == .clean && second.processing?.code == nil)
        #expect(Set([first.changeNumber, second.changeNumber]) == [before + 1, before + 2])
        #expect(try await facts(other).processing?.code == .speechUnavailable)
        #expect(
            try await fixture.database.text(
                "select string_agg(kind, ' ' order by kind) from jobs where user_id = $1 and state = 'ready'",
                .uuid(member.user.uuid)) == "clean transcribe")
    }

    @Test("what is refused for want of a consent that was given meanwhile is queued again")
    func consentMeanwhile() async throws {
        let fixture = try await WorkerFixture.make()
        let member = fixture.person.member
        func facts(_ id: EntryID) async throws -> EntryFacts { try #require(try await fixture.entries.entry(id, of: member)?.facts) }
        let uncleaned = EntryID(try await fixture.ready(.clean))
        let job = try await fixture.claim(.clean)
        _ = try await fixture.transcriptions.beginEntry(job)
        _ = try await PostgresProfileStore(pool: try fixture.database.pool(.api)).change(
            StoredProfilePatch(nameSealed: .absent, rest: ProfilePatch(hostedProcessingConsent: true)), matching: nil, keyID: nil,
            by: member)

        #expect(
            try await fixture.transcriptions.finishMachine(
                job, machine: fixture.words(2), replaced: .nothing, waiting: .consentRequired) == nil)
        let failed = EntryID(try await fixture.ready(.transcribe))
        try await fixture.queue.discard(try await fixture.claim(.transcribe), code: .consentRequired)

        let (first, second) = (try await facts(uncleaned), try await facts(failed))
        #expect(first.status == .cleaning && first.processing?.stage == .clean && first.processing?.code == nil)
        #expect(second.status == .uploaded && second.processing?.stage == .transcribe && second.processing?.code == nil)
        #expect(
            try await fixture.database.text(
                "select string_agg(kind, ' ' order by kind) from jobs where user_id = $1 and state = 'ready'",
                .uuid(member.user.uuid)) == "clean transcribe")
    }

    @Test("each result returns the kind of the job it committed")
    func committedKinds() async throws {
        let fixture = try await WorkerFixture.make()
        #expect(Set(WorkerFixture.ends.keys).union(JobCatalogue.diary.stages) == Set(JobCatalogue.diary.kinds))
        for kind in JobCatalogue.diary.kinds {
            try await fixture.ready(kind)

            let next = try await fixture.finish(try await fixture.claim(kind))

            #expect(next == JobCatalogue.diary.successor(of: kind)?.kind)
            #expect(
                try await fixture.database.int("select count(*) from jobs where state = 'ready'") == (next == nil ? 0 : 1), "\(kind)")
            try await fixture.database.change("update jobs set state = 'done', lease_until = null where state in ('ready', 'leased')")
        }
    }
}
