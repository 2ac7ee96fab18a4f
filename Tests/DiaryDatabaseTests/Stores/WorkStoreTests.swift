import DiaryCore
import DiaryCrypto
import Foundation
import Testing

@testable import DiaryDatabase

@Suite("Work store", .serialized, .timeLimit(.minutes(3)))
struct WorkStoreTests {
    // MARK: Leases

    @Test("8 parallel claimers take each of 200 jobs exactly once, oldest first, of the asked kinds alone")
    func claims() async throws {
        let shop = try await Workshop.make()
        try await shop.database.change(
            """
            insert into jobs (id, tenant_id, user_id, kind, subject, run_at)
            select gen_random_uuid(), $1, $2, case when n <= 200 then 'verify' when n <= 205 then 'mail' else 'clean' end, gen_random_uuid(),
                clock_timestamp() + case when n > 205 then interval '1 hour' else interval '-1 hour' end from generate_series(1, 210) n
            """, .uuid(shop.person.owner.tenant.uuid), .uuid(shop.person.owner.user.uuid))

        let taken = try await parallel(8) { worker in
            var mine: [LeasedJob] = []
            while true {
                let jobs = try await shop.work.claim(
                    [.verify, .clean], limit: Int.random(in: 1...7), worker: "w\(worker)", leaseSeconds: 60)
                if jobs.isEmpty { return mine }
                mine += jobs
            }
        }.flatMap { $0 }

        #expect(taken.count == 200)
        #expect(Set(taken.map(\.id)).count == 200)
        #expect(taken.allSatisfy { $0.attempt == 1 && $0.kind == .verify })
        #expect(try await shop.database.int("select count(*) from jobs where state = 'ready'") == 10)
        #expect(try await shop.database.int("select count(*) from jobs where state = 'leased' and leased_by is null") == 0)
    }

    @Test("renewing keeps what is held and names what is lost")
    func renew() async throws {
        let shop = try await Workshop.make()
        for _ in 0..<3 { try await shop.ready(.export) }
        let jobs = try await shop.work.claim([.export], limit: 3, worker: "a", leaseSeconds: 60)
        try await shop.expire(jobs[1])
        #expect(try await shop.work.rescue(limit: 10, maxCrashes: 3) == [.export])
        let again = try await shop.claim(.export, worker: "b")
        try await shop.finish(jobs[2])

        let held = try await shop.work.renew(jobs, leaseSeconds: 500)

        #expect(held == [jobs[0].id])
        #expect(again.id == jobs[1].id && again.attempt == 2)
        #expect(
            try await shop.database.int("select count(*) from jobs where lease_until > clock_timestamp() + interval '400 s'") == 1)
        #expect(try await shop.work.renew([], leaseSeconds: 5).isEmpty)
    }

    @Test("a released job is ready at once, keeps its errors, and no try is burnt")
    func release() async throws {
        let shop = try await Workshop.make()
        try await shop.ready(.verify)
        let first = try await shop.claim(.verify)
        try await shop.work.retry(first, code: .storageUnavailable, afterSeconds: -1)
        let second = try await shop.claim(.verify)

        try await shop.work.release([second])

        let third = try await shop.claim(.verify)
        #expect((second.errors, second.attempt) == (1, 2))
        #expect((third.errors, third.crashes, third.attempt) == (1, 0, 3))
    }

    @Test("a retry waits its time and shows on the entry when it comes", arguments: [JobKind.verify, .transcribe, .clean])
    func retryShows(kind: JobKind) async throws {
        let shop = try await Workshop.make()
        let entry = EntryID(try await shop.ready(kind))
        let job = try await shop.claim(kind)
        _ = try await shop.work.beginEntry(job)
        let before = try await shop.entries.entry(entry, of: shop.person.member)?.facts.changeNumber ?? 0

        try await shop.work.retry(job, code: .speechUnavailable, afterSeconds: 300)

        let facts = try #require(try await shop.entries.entry(entry, of: shop.person.member)?.facts)
        let processing = try #require(facts.processing)
        #expect(processing.stage == kind && processing.attempt == 1 && processing.code == .speechUnavailable && processing.retryable)
        #expect((290...310).contains(processing.nextAttemptAt?.timeIntervalSinceNow ?? 0))
        #expect(facts.changeNumber > before)
        #expect(facts.status != .failed)
        #expect(try await shop.state(job) == "ready 1 1 0 speech_unavailable")
        #expect(try await shop.work.claim([kind], limit: 1, worker: "w", leaseSeconds: 60).isEmpty)
    }

    @Test("a buried job shows on its entry, export or mail", arguments: JobKind.allCases)
    func buryShows(kind: JobKind) async throws {
        let shop = try await Workshop.make()
        let subject = try await shop.ready(kind)
        let job = try await shop.claim(kind)
        try await shop.begin(job)

        try await shop.work.bury(job, code: .unexpected)

        #expect(try await shop.state(job) == "dead 1 0 0 processing_failed")
        #expect(
            try await shop.database.text("select (finished_at is not null)::text from jobs where id = $1", .uuid(job.id.uuid)) == "true")
        switch kind {
        case .verify, .transcribe, .clean:
            let facts = try #require(try await shop.entries.entry(EntryID(subject), of: shop.person.member)?.facts)
            #expect(facts.status == .failed && facts.processing?.code == .unexpected && facts.processing?.stage == kind)
            #expect(facts.processing?.nextAttemptAt == nil)
        case .export:
            let export = try #require(try await shop.exports.export(ExportID(subject), of: shop.person.member))
            #expect(export.status == .failed && export.code == .unexpected)
        case .mail:
            #expect(try await shop.database.text("select status || length(payload) from mails where id = $1", .uuid(subject)) == "failed0")
            let export = try #require(try await shop.exports.exports(limit: 1, of: shop.person.member).first)
            #expect(export.mailStatus == .failed && export.status == .ready)
        }
    }

    @Test("a worker that dies is counted apart from errors; the third time its job is buried as crashed", arguments: JobKind.allCases)
    func crashes(kind: JobKind) async throws {
        let shop = try await Workshop.make()
        let subject = try await shop.ready(kind)
        #expect(try await shop.work.rescue(limit: 10, maxCrashes: 3).isEmpty)

        for crash in 1...3 {
            let job = try await shop.claim(kind)
            try await shop.begin(job)
            #expect((job.crashes, job.errors, job.attempt) == (crash - 1, 0, crash))
            #expect(try await shop.work.rescue(limit: 10, maxCrashes: 3).isEmpty)
            try await shop.expire(job)
            let kinds = try await parallel(4) { _ in try await shop.work.rescue(limit: 10, maxCrashes: 3) }.flatMap { $0 }
            #expect(kinds == (crash < 3 ? [kind] : []))
        }

        #expect(
            try await shop.database.text(
                "select concat_ws(' ', state, attempt, errors, crashes, code) from jobs where subject = $1 and kind = $2", .uuid(subject),
                .text(kind.rawValue)) == "dead 3 0 3 processing_crashed")
        if kind == .verify {
            let facts = try await shop.entries.entry(EntryID(subject), of: shop.person.member)?.facts
            #expect(facts?.status == .failed && facts?.processing?.code == .crashed)
        }
    }

    // MARK: A recording's way

    @Test("a recording goes through its stages; each result and the next job are one write; 20 parallel ends are one")
    func recording() async throws {
        let shop = try await Workshop.make()
        let member = shop.person.member
        let id = EntryID(try await shop.ready(.verify))
        func facts() async throws -> EntryFacts { try #require(try await shop.entries.entry(id, of: member)?.facts) }

        for (kind, during, after, next) in [
            (JobKind.verify, EntryStatus.uploaded, EntryStatus.uploaded, JobKind.transcribe),
            (.transcribe, .transcribing, .cleaning, .clean),
            (.clean, .cleaning, .transcribed, .mail),
        ] {
            let job = try await shop.claim(kind)
            let begun = try await shop.work.beginEntry(job)
            #expect(begun.facts.status == during && begun.facts.processing?.stage == kind && begun.facts.processing?.attempt == 1)
            let before = try await facts().changeNumber

            let ends = try await parallel(20) { _ in
                await refusal { () throws(WorkError) in try await shop.finish(job) }
            }

            #expect(ends.count { $0 == nil } == 1)
            #expect(ends.count { $0 == .leaseLost } == 19)
            #expect(try await facts().status == after)
            #expect(try await facts().changeNumber > before)
            #expect(try await shop.living(next, id.uuid) == (kind == .clean ? 0 : 1))
        }

        let done = try await facts()
        #expect(done.processing == nil && done.durationSeconds == 12.5 && done.sizeBytes == 1_001 && done.language == "en")
        let stored = try await shop.entries.entry(id, of: member)
        #expect(stored?.machine == SealedColumn(bytes: [6], version: 2))
        #expect(stored?.version == 1, "the worker's writes do not count against If-Match")
        #expect(try await shop.entries.segments(id, of: member) == SealedColumn(bytes: [6], version: 1))
        #expect(try await shop.work.segments(id, of: shop.person.owner) == SealedColumn(bytes: [6], version: 1))
        #expect(try await shop.database.int("select count(*) from jobs where state <> 'done'") == 0)
    }

    @Test("a recording tried again after its clean-up failed is heard anew, over the words of before")
    func heardAnew() async throws {
        let shop = try await Workshop.make()
        let id = EntryID(try await shop.ready(.clean))
        try await shop.work.bury(try await shop.claim(.clean), code: .cleanupUnavailable)
        #expect(try await shop.entries.retry(id, keyID: shop.person.keyID, job: shop.nextJob(), by: shop.person.member).name == "enqueued")
        let job = try await shop.claim(.transcribe)
        let version = try await shop.work.beginEntry(job).machine?.version ?? 0

        try await shop.work.finishTranscribe(
            job, machine: shop.words(version + 1, [8]), segments: shop.words(version + 1, [9]), language: "de", next: shop.nextJob())

        #expect(try await shop.entries.entry(id, of: shop.person.member)?.machine == SealedColumn(bytes: [8], version: version + 1))
        #expect(try await shop.entries.segments(id, of: shop.person.member) == SealedColumn(bytes: [9], version: version + 1))
        #expect(try await shop.living(.clean, id.uuid) == 1)
    }

    @Test(
        "an entry deleted under the worker's hands: begin says so and ends the job; an end writes no words and no next job",
        arguments: [JobKind.verify, .transcribe, .clean])
    func deletedMeanwhile(kind: JobKind) async throws {
        let shop = try await Workshop.make()
        for begins in [true, false] {
            let id = EntryID(try await shop.ready(kind))
            let job = try await shop.claim(kind)
            _ = try await shop.entries.delete(id, expecting: nil, keyID: shop.person.keyID, by: shop.person.member)
            let tombstone = try await shop.database.text("select (entries)::text from entries where id = $1", .uuid(id.uuid))

            if begins {
                #expect(await refusal { () throws(WorkError) in try await shop.begin(job) } == .ownerGone)
            } else {
                try await shop.finish(job)
            }

            #expect(try await shop.state(job) == "done 1 0 0")
            #expect(try await shop.database.text("select (entries)::text from entries where id = $1", .uuid(id.uuid)) == tombstone)
            #expect(try await shop.database.int("select count(*) from jobs where subject = $1 and state <> 'done'", .uuid(id.uuid)) == 0)
            #expect(try await shop.database.int("select count(*) from entry_segments where entry_id = $1", .uuid(id.uuid)) == 0)
        }
    }

    @Test("20 recordings deleted while their ends are written: never words in a tombstone, never a job without its entry")
    func deleteRaces() async throws {
        let shop = try await Workshop.make()
        for _ in 0..<20 {
            let id = EntryID(try await shop.ready(.transcribe))
            let job = try await shop.claim(.transcribe)

            _ = try await parallel(2) { side in
                if side == 0 {
                    try await shop.finish(job)
                } else {
                    _ = try await shop.entries.delete(id, expecting: nil, keyID: shop.person.keyID, by: shop.person.member)
                }
            }

            #expect(try await shop.database.int("select count(*) from entry_segments where entry_id = $1", .uuid(id.uuid)) == 0)
            #expect(try await shop.database.int("select count(*) from jobs where subject = $1 and state <> 'done'", .uuid(id.uuid)) == 0)
            #expect(try await shop.entries.entry(id, of: shop.person.member) == nil)
        }
    }

    @Test(
        "words sealed under a key that is no longer live are not written, and the job is not ended",
        arguments: [JobKind.transcribe, .clean, .export])
    func deadKey(kind: JobKind) async throws {
        let shop = try await Workshop.make()
        try await shop.ready(kind)
        let job = try await shop.claim(kind)
        try await shop.database.change("update user_sync set key_id = gen_random_uuid()")
        let before = try await shop.dump()

        #expect(await refusal { () throws(WorkError) in try await shop.finish(job) } == .ownerGone)

        #expect(try await shop.dump() == before)
    }

    // MARK: Exports and mails

    @Test("an export is built and mailed exactly once, of 20 parallel ends")
    func export() async throws {
        let shop = try await Workshop.make()
        let id = ExportID(try await shop.ready(.export))
        let job = try await shop.claim(.export)
        let (export, profile) = try await shop.work.beginExport(job)
        #expect(export.id == id && export.status == .building && export.timeZone == "Europe/Berlin" && profile.timeZone == "Europe/Berlin")

        let ends = try await parallel(20) { _ in await refusal { () throws(WorkError) in try await shop.finish(job) } }

        #expect(ends.count { $0 == nil } == 1)
        let ready = try #require(try await shop.exports.export(id, of: shop.person.member))
        #expect(ready.status == .ready && ready.sizeBytes == 77 && ready.entryCount == 3 && ready.mailStatus == .waiting)
        #expect(try await shop.database.int("select count(*) from mails") == 1)
        #expect(try await shop.database.int("select count(*) from jobs where kind = 'mail'") == 1)

        let mailJob = try await shop.claim(.mail)
        let mail = try await shop.work.beginMail(mailJob)
        #expect(mail.kind == .exportReady && mail.subject == id.uuid && mail.payload == [5, 5, 5])
        let sent = try await parallel(20) { _ in await refusal { () throws(WorkError) in try await shop.finish(mailJob) } }
        #expect(sent.count { $0 == nil } == 1)
        #expect(try await shop.exports.export(id, of: shop.person.member)?.mailStatus == .sent)
        #expect(try await shop.database.text("select status || length(payload) from mails") == "sent0")
    }

    @Test("an export revoked before or while it is built sends no mail")
    func revoked() async throws {
        let shop = try await Workshop.make()
        let before = ExportID(try await shop.ready(.export))
        #expect(try await shop.exports.revoke(before, by: shop.person.member))
        let first = try await shop.claim(.export)
        #expect(await refusal { () throws(WorkError) in try await shop.begin(first) } == .ownerGone)
        #expect(try await shop.state(first) == "done 1 0 0")

        let during = ExportID(try await shop.ready(.export))
        let second = try await shop.claim(.export)
        try await shop.begin(second)
        #expect(try await shop.exports.revoke(during, by: shop.person.member))
        try await shop.finish(second)

        #expect(try await shop.database.int("select count(*) from mails") == 0)
        #expect(try await shop.database.int("select count(*) from jobs where state <> 'done'") == 0)
        #expect(try await shop.exports.linkedExport(during, of: shop.person.owner) == nil)
        #expect(try await shop.exports.revoke(ExportID(UUID()), by: shop.person.member) == false)
    }

    @Test("of 20 parallel downloads as many are counted as the export allows; none after it is revoked or has ended (E3)")
    func downloads() async throws {
        let shop = try await Workshop.make()
        let id = ExportID(try await shop.ready(.export))
        #expect(try await shop.exports.takeDownload(id, of: shop.person.owner) == nil)
        try await shop.finish(try await shop.claim(.export))

        let taken = try await parallel(20) { _ in try await shop.exports.takeDownload(id, of: shop.person.owner)?.downloads }

        #expect(taken.compactMap { $0 }.sorted() == [1, 2])
        #expect(try await shop.exports.linkedExport(id, of: shop.person.owner)?.downloads == 2)
        try await shop.database.change("update exports set expires_at = clock_timestamp()")
        #expect(try await shop.exports.linkedExport(id, of: shop.person.owner) == nil)
    }

    @Test(
        "50 parallel identical export requests make one export and one job; another body is refused; without a proved address there is none (A7, D11)"
    )
    func exportRequests() async throws {
        let shop = try await Workshop.make()
        let outcomes = try await parallel(50) { _ in
            try await shop.exports.create(try shop.person.export(idempotency: [1]), by: shop.person.member)
        }
        let unproved = try await Person.make(in: shop.database, verified: false)

        #expect(outcomes.count { $0.name == "created" } == 1)
        #expect(outcomes.count { $0.name == "replayed" } == 49)
        #expect(Set(outcomes.compactMap { $0.export?.id }).count == 1)
        #expect(
            try await shop.exports.create(try shop.person.export(request: [2], idempotency: [1]), by: shop.person.member).name
                == "keyReused")
        #expect(try await shop.exports.create(try unproved.export(idempotency: [1]), by: unproved.member).name == "addressNotVerified")
        for table in ["exports", "jobs", "idempotency_keys"] { #expect(try await shop.database.int("select count(*) from \(table)") == 1) }
    }

    @Test("an export reads one snapshot in order while entries are made, changed and deleted (E5)")
    func snapshot() async throws {
        let shop = try await Workshop.make()
        let person = shop.person
        try await shop.database.change(
            """
            insert into entries (tenant_id, user_id, id, kind, status, change_number, recorded_at, time_zone, recorded_local, request_hash, key_id, personal,
                personal_version)
            select $1, $2, gen_random_uuid(), 'text', 'transcribed', n, '2026-03-01T00:00:00Z'::timestamptz + (n / 3) * interval '1 minute', 'UTC',
                '2026-03-01'::timestamp + n * interval '1 minute', '', $3, 'sealed', 1 from generate_series(1, 950) n
            """, .uuid(person.owner.tenant.uuid), .uuid(person.owner.user.uuid), .uuid(person.keyID))
        try await shop.database.change("update user_sync set change_number = 950")
        try await shop.ready(.export)
        let (export, _) = try await shop.work.beginExport(try await shop.claim(.export))
        let read = Pages()

        try await shop.work.readExport(export, of: person.owner) { page in
            read.append(page)
            // What comes after the first page changes before the second is read.
            _ = try await shop.entries.create(person.text(at: Date(timeIntervalSince1970: 1_772_400_000)), by: person.member)
            for entry in try await shop.entries.list(
                DateQuery(from: nil, to: nil, order: .newestFirst, after: nil, limit: 20), of: person.member)
            {
                _ = try await shop.entries.delete(entry.facts.id, expecting: nil, keyID: person.keyID, by: person.member)
            }
            try await shop.database.change("update entries set personal = 'other', personal_version = 2 where deleted_at is null")
        }

        let entries = read.entries
        #expect(entries.count == 950)
        #expect(Set(entries.map(\.facts.id)).count == 950)
        #expect(entries.allSatisfy { $0.personal == SealedColumn(bytes: Array("sealed".utf8), version: 1) && $0.facts.deletedAt == nil })
        #expect(
            zip(entries, entries.dropFirst()).allSatisfy {
                ($0.facts.recordedAt, $0.facts.id.description) < ($1.facts.recordedAt, $1.facts.id.description)
            })
        #expect(try await shop.database.int("select count(*) from entries where deleted_at is null") < 950)
    }

    @Test("an export's range is days of the export's own zone, over summer time")
    func range() async throws {
        let shop = try await Workshop.make()
        let person = shop.person
        // Berlin, 25 October 2026, has 25 hours: from 22:00 to 23:00 UTC.
        let times = [1_792_879_199.999, 1_792_879_200, 1_792_969_199.999, 1_792_969_200]
        for time in times {
            _ = try await shop.entries.create(
                person.text(at: Date(timeIntervalSince1970: time), zone: "America/New_York"), by: person.member)
        }
        var form = try person.export(zone: "Europe/Berlin")
        form.from = try day("2026-10-25")
        form.to = try day("2026-10-25")
        _ = try await shop.exports.create(form, by: person.member)
        let (export, _) = try await shop.work.beginExport(try await shop.claim(.export))
        let read = Pages()

        try await shop.work.readExport(export, of: person.owner) { read.append($0) }

        #expect(read.entries.map(\.facts.recordedAt.timeIntervalSince1970) == [times[1], times[2]])
    }
}
