import DiaryCore
import DiaryCrypto
import Foundation
import PostgresClient
import Testing

@testable import DiaryDatabase

@Suite("Leases of jobs", .serialized, .timeLimit(.minutes(3)))
struct JobQueueTests {
    @Test("8 parallel claimers take each of 200 jobs exactly once, oldest first, of the requested kinds only")
    func claims() async throws {
        let fixture = try await WorkerFixture.make()
        try await fixture.database.change(
            """
            insert into jobs (id, tenant_id, user_id, kind, subject, run_at)
            select gen_random_uuid(), $1, $2, case when n <= 200 then 'verify' when n <= 205 then 'mail' else 'clean' end, gen_random_uuid(),
                clock_timestamp() + case when n > 205 then interval '1 hour' else interval '-1 hour' end from generate_series(1, 210) n
            """, .uuid(fixture.person.owner.tenant.uuid), .uuid(fixture.person.owner.user.uuid))

        let taken = try await parallel(8) { worker in
            var mine: [LeasedJob] = []
            while true {
                let jobs = try await fixture.queue.claim(
                    [.verify, .clean], limit: Int.random(in: 1...7), worker: "w\(worker)", leaseSeconds: 60)
                if jobs.isEmpty { return mine }
                mine += jobs
            }
        }.flatMap { $0 }

        #expect(taken.count == 200)
        #expect(Set(taken.map(\.id)).count == 200)
        #expect(taken.allSatisfy { $0.attempt == 1 && $0.kind == .verify })
        #expect(try await fixture.database.int("select count(*) from jobs where state = 'ready'") == 10)
        #expect(try await fixture.database.int("select count(*) from jobs where state = 'leased' and leased_by is null") == 0)
    }

    @Test("renewing keeps what is held and names what is lost")
    func renew() async throws {
        let fixture = try await WorkerFixture.make()
        for _ in 0..<3 { try await fixture.ready(.export) }
        let jobs = try await fixture.queue.claim([.export], limit: 3, worker: "a", leaseSeconds: 60)
        try await fixture.expire(jobs[1])
        #expect(try await fixture.queue.rescue(limit: 10, maxCrashes: 3) == [.export])
        let again = try await fixture.claim(.export, worker: "b")
        try await fixture.finish(jobs[2])

        let held = try await fixture.queue.renew(jobs, leaseSeconds: 500)

        #expect(held == [jobs[0].id])
        #expect(again.id == jobs[1].id && again.attempt == 2)
        #expect(
            try await fixture.database.int("select count(*) from jobs where lease_until > clock_timestamp() + interval '400 s'") == 1)
        #expect(try await fixture.queue.renew([], leaseSeconds: 5).isEmpty)
    }

    @Test("a job that waits keeps its errors however often it does, is not ready before its time, and its entry says why and until when")
    func postpone() async throws {
        let fixture = try await WorkerFixture.make()
        let entry = EntryID(try await fixture.ready(.transcribe))
        for _ in 0..<20 {
            let job = try await fixture.claim(.transcribe)
            #expect(job.errors == 0)
            try await fixture.begin(job)
            try await fixture.queue.postpone(job, code: .enginePaused, afterSeconds: 600)
            #expect(try await fixture.queue.claim([.transcribe], limit: 1, worker: "w", leaseSeconds: 60).isEmpty)
            try await fixture.database.change("update jobs set run_at = clock_timestamp() where id = $1", .uuid(job.id.uuid))
        }

        let facts = try #require(try await fixture.entries.entry(entry, of: fixture.person.member)?.facts)
        #expect(facts.status == .transcribing && facts.processing?.code == .enginePaused && facts.processing?.action == .wait)
        #expect(facts.processing?.attempt == 1 && (facts.processing?.nextAttemptAt ?? .distantPast) > Date(timeIntervalSinceNow: 300))
    }

    @Test("progress is written with the lease, and only where a job has said it")
    func progress() async throws {
        let fixture = try await WorkerFixture.make()
        for _ in 0..<2 { try await fixture.ready(.verify) }
        let jobs = try await fixture.queue.claim([.verify], limit: 2, worker: "a", leaseSeconds: 60)

        #expect(try await fixture.queue.renew(jobs, progress: [jobs[0].id: 40], leaseSeconds: 60).count == 2)
        let shown = try await fixture.entries.entry(EntryID(jobs[0].subject), of: fixture.person.member)
        #expect(shown?.facts.processing?.place == QueuePlace(percent: 40))
        #expect(try await fixture.queue.renew(jobs, progress: [jobs[0].id: 7_000], leaseSeconds: 60).count == 2)

        #expect(try await fixture.database.text("select string_agg(progress::text, ' ') from jobs") == "100")
    }

    @Test("a released job is ready at once, keeps its errors, and costs no try")
    func release() async throws {
        let fixture = try await WorkerFixture.make()
        try await fixture.ready(.verify)
        let first = try await fixture.claim(.verify)
        try await fixture.queue.retry(first, code: .storageUnavailable, afterSeconds: -1)
        let second = try await fixture.claim(.verify)

        try await fixture.queue.release([second])

        let third = try await fixture.claim(.verify)
        #expect((second.errors, second.attempt) == (1, 2))
        #expect((third.errors, third.crashes, third.attempt) == (1, 0, 3))

        try await fixture.queue.release(third, cost: 400)

        let fourth = try await fixture.claim(.verify)
        #expect((fourth.errors, fourth.crashes, fourth.attempt, fourth.cost, fourth.isLong) == (1, 0, 4, 400, true))
        // Its lease is another one by now.
        try await fixture.queue.release(third, cost: 1)
        #expect(try await fixture.database.text("select state || ' ' || cost from jobs") == "leased 400")
    }

    @Test("a retry waits its time and shows on the entry when it comes", arguments: JobCatalogue.diary.stages)
    func retryShows(kind: JobKind) async throws {
        let fixture = try await WorkerFixture.make()
        let entry = EntryID(try await fixture.ready(kind))
        let job = try await fixture.claim(kind)
        _ = try await fixture.transcriptions.beginEntry(job)
        let before = try await fixture.entries.entry(entry, of: fixture.person.member)?.facts.changeNumber ?? 0

        try await fixture.queue.retry(job, code: .speechUnavailable, afterSeconds: 300)

        let facts = try #require(try await fixture.entries.entry(entry, of: fixture.person.member)?.facts)
        let processing = try #require(facts.processing)
        #expect(processing.stage == kind && processing.attempt == 1 && processing.code == .speechUnavailable && processing.action == .wait)
        #expect((290...310).contains(processing.nextAttemptAt?.timeIntervalSinceNow ?? 0))
        #expect(facts.changeNumber > before)
        #expect(facts.status != .failed)
        #expect(try await fixture.state(job) == "ready 1 1 0 speech_unavailable")
        #expect(try await fixture.queue.claim([kind], limit: 1, worker: "w", leaseSeconds: 60).isEmpty)
    }

    @Test("a discarded job shows on its entry, export or mail", arguments: JobCatalogue.diary.kinds)
    func discardShows(kind: JobKind) async throws {
        let fixture = try await WorkerFixture.make()
        let subject = try await fixture.ready(kind)
        let job = try await fixture.claim(kind)
        try await fixture.begin(job)

        try await fixture.queue.discard(job, code: .unexpected)

        #expect(try await fixture.state(job) == "dead 1 0 0 processing_failed")
        #expect(
            try await fixture.database.text("select (finished_at is not null)::text from jobs where id = $1", .uuid(job.id.uuid)) == "true")
        switch try #require(JobCatalogue.diary[kind]).subject {
        case .entry:
            let facts = try #require(try await fixture.entries.entry(EntryID(subject), of: fixture.person.member)?.facts)
            #expect(facts.status == .failed && facts.processing?.code == .unexpected && facts.processing?.stage == kind)
            #expect(facts.processing?.nextAttemptAt == nil)
        case .export:
            let export = try #require(try await fixture.exports.export(ExportID(subject), of: fixture.person.member))
            #expect(export.status == .failed && export.code == .unexpected && export.mailStatus == .failed)
        case .importing:
            let found = try #require(try await fixture.imports.find(ImportID(subject), of: fixture.person.member))
            #expect(found.status == .failed && found.code == .unexpected)
        case .mail:
            #expect(
                try await fixture.database.text("select status || length(payload) from mails where id = $1", .uuid(subject)) == "failed0")
            let export = try #require(
                try await fixture.exports.exports(before: nil, limit: 1, schedule: nil, status: nil, of: fixture.person.member).first)
            #expect(export.mailStatus == .failed && export.status == .ready)
        }
    }

    @Test(
        "a worker that dies is counted apart from errors; the third time its job is discarded as crashed",
        arguments: JobCatalogue.diary.kinds)
    func crashes(kind: JobKind) async throws {
        let fixture = try await WorkerFixture.make()
        let subject = try await fixture.ready(kind)
        #expect(try await fixture.queue.rescue(limit: 10, maxCrashes: 3).isEmpty)

        for crash in 1...3 {
            let job = try await fixture.claim(kind)
            try await fixture.begin(job)
            #expect((job.crashes, job.errors, job.attempt) == (crash - 1, 0, crash))
            #expect(try await fixture.queue.rescue(limit: 10, maxCrashes: 3).isEmpty)
            try await fixture.expire(job)
            let kinds = try await parallel(4) { _ in try await fixture.queue.rescue(limit: 10, maxCrashes: 3) }.flatMap { $0 }
            #expect(kinds == (crash < 3 ? [kind] : []))
        }

        #expect(
            try await fixture.database.text(
                "select concat_ws(' ', state, attempt, errors, crashes, code) from jobs where subject = $1 and kind = $2", .uuid(subject),
                .text(kind.rawValue)) == "dead 3 0 3 processing_crashed")
        if kind == .verify {
            let facts = try await fixture.entries.entry(EntryID(subject), of: fixture.person.member)?.facts
            #expect(facts?.status == .failed && facts?.processing?.code == .crashed)
        }
    }

    @Test("a job of a kind of another version is neither claimed nor rescued, and delays no other")
    func unknownKind() async throws {
        let fixture = try await WorkerFixture.make()
        try await fixture.database.change(
            """
            insert into jobs (id, tenant_id, user_id, kind, subject, state, lease_until, leased_by, attempt, crashes)
            select gen_random_uuid(), $1, $2, 'of_another_version', gen_random_uuid(), case when n = 1 then 'ready' else 'leased' end,
                case when n = 1 then null else clock_timestamp() - interval '1 hour' end, 'other', 7, 2 from generate_series(1, 2) n
            """, .uuid(fixture.person.owner.tenant.uuid), .uuid(fixture.person.owner.user.uuid))
        let before = try await fixture.database.text("select string_agg(jobs::text, ',' order by id) from jobs")
        try await fixture.ready(.verify)
        let known = try await fixture.claim(.verify)
        try await fixture.expire(known)

        #expect(try await fixture.queue.rescue(limit: 1, maxCrashes: 3) == [.verify])
        let claimed = try await fixture.queue.claim(JobCatalogue.diary.kinds, limit: 10, worker: "w", leaseSeconds: 60)

        #expect(claimed.map(\.id) == [known.id])
        #expect(
            try await fixture.database.text(
                "select string_agg(jobs::text, ',' order by id) from jobs where kind = 'of_another_version'") == before)
    }

    @Test("a job of any kind can be inserted: the schema has no list of kinds")
    func anyKind() async throws {
        let fixture = try await WorkerFixture.make()
        let kind = JobKind(rawValue: "of_another_version")
        try await fixture.database.change(
            "insert into jobs (id, tenant_id, user_id, kind, subject) values (gen_random_uuid(), $1, $2, $3, gen_random_uuid())",
            .uuid(fixture.person.owner.tenant.uuid), .uuid(fixture.person.owner.user.uuid), .text(kind.rawValue))

        let jobs = try await fixture.queue.claim([kind], limit: 1, worker: "w", leaseSeconds: 60)

        #expect(jobs.map(\.kind) == [kind])
    }
}
