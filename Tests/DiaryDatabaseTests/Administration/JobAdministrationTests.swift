import DiaryCore
import Foundation
import PostgresClient
import TestDatabases
import Testing

@testable import DiaryDatabase

@Suite("Job administration", .timeLimit(.minutes(1)))
struct JobAdministrationTests {
    private static func make() async throws -> (WorkerFixture, PostgresJobAdministration) {
        let fixture = try await WorkerFixture.make()
        return (fixture, PostgresJobAdministration(pool: try fixture.database.pool(.admin)))
    }

    @Test("an entry's jobs and its progress are found by the entry's id alone, with code, tries and the time of the next one")
    func entry() async throws {
        let (fixture, administration) = try await Self.make()
        let entry = EntryID(try await fixture.ready(.transcribe))
        let job = try await fixture.claim(.transcribe, worker: "host/7")
        try await fixture.begin(job)
        let running = try #require(try await administration.jobs(JobFilter(subject: entry.uuid, limit: 10)).first)
        try await fixture.queue.retry(job, code: .speechTimeout, afterSeconds: 600)

        let jobs = try await administration.jobs(JobFilter(subject: entry.uuid, limit: 10))
        let progress = try await administration.entries(entry)

        #expect(running.id == job.id && running.state == "leased" && running.leasedBy == "host/7" && running.leaseUntil != nil)
        #expect(jobs.map(\.kind) == [.transcribe, .verify])
        #expect(jobs.map(\.state) == ["ready", "done"])
        let waiting = try #require(jobs.first)
        #expect(waiting.owner == fixture.person.owner && waiting.attempts == 1 && waiting.errors == 1 && waiting.code == "speech_timeout")
        #expect(waiting.runAt > Date(timeIntervalSinceNow: 300))
        #expect(progress.count == 1)
        #expect(progress.first?.code == "speech_timeout" && progress.first?.stage == "transcribe" && progress.first?.kind == .voice)
        #expect(progress.first?.slug == waiting.slug)
    }

    @Test("jobs are chosen by id, user, app and state, newest first and no more than asked for; a job that is gone is not there")
    func filters() async throws {
        let (fixture, administration) = try await Self.make()
        let other = try await WorkerFixture.make(in: fixture.database)
        for _ in 0..<2 { try await fixture.ready(.verify) }
        let given = try await fixture.claim(.verify)
        try await fixture.queue.discard(given, code: .mediaUnreadable)
        try await other.ready(.export)
        let user = fixture.person.owner.user

        #expect(try await administration.jobs(JobFilter(limit: 10)).count == 3)
        #expect(try await administration.jobs(JobFilter(limit: 1)).map(\.kind) == [.export])
        #expect(try await administration.jobs(JobFilter(user: user, limit: 10)).count == 2)
        #expect(try await administration.jobs(JobFilter(tenant: other.person.owner.tenant, limit: 10)).map(\.kind) == [.export])
        let dead = try await administration.jobs(JobFilter(user: user, states: ["dead"], limit: 10))
        #expect(dead.map(\.id) == [given.id] && dead.first?.code == "media_unreadable" && dead.first?.finishedAt != nil)
        #expect(try await administration.jobs(JobFilter(states: ["ready", "dead"], limit: 10)).count == 3)
        #expect(try await administration.jobs(JobFilter(job: given.id, limit: 1)) == dead)
        #expect(try await administration.jobs(JobFilter(job: JobID(UUID()), limit: 1)).isEmpty)
        #expect(try await administration.entries(EntryID(UUID())).isEmpty)
    }

    @Test("counts name each kind and state, how many are due, and since when the oldest waits")
    func counts() async throws {
        let (fixture, administration) = try await Self.make()
        #expect(try await administration.counts().isEmpty)
        for _ in 0..<3 { try await fixture.ready(.verify) }
        let first = try await fixture.claim(.verify)
        try await fixture.queue.retry(first, code: .storageUnavailable, afterSeconds: 600)
        _ = try await fixture.claim(.verify)

        let counts = try await administration.counts()

        #expect(counts.map(\.state) == ["leased", "ready"] && counts.allSatisfy { $0.kind == .verify })
        #expect(counts.map(\.jobs) == [1, 2])
        #expect(counts.map(\.due) == [0, 1])
        #expect(counts.first?.oldestDue == nil && counts.last?.oldestDue != nil)
    }

    @Test("a held queue gives no job to the next claim, of one app or of all; what runs may end; the acts are recorded once")
    func holds() async throws {
        let (fixture, administration) = try await Self.make()
        let other = try await WorkerFixture.make(in: fixture.database)
        let tenants = PostgresTenantAdministration(pool: try fixture.database.pool(.admin))
        let slug = try #require(try await tenants.all().first { $0.id == fixture.person.owner.tenant }?.slug)
        for _ in 0..<2 { try await fixture.ready(.verify) }
        try await other.ready(.verify)
        func claim() async throws -> [Owner] {
            try await fixture.queue.claim([.verify], limit: 1, worker: "w", leaseSeconds: 60).map(\.owner)
        }
        let running = try await fixture.claim(.verify)

        #expect(try await administration.pause(.media, of: running.owner.tenant, by: "op"))
        #expect(try await !administration.pause(.media, of: running.owner.tenant, by: "op"))
        let rest = try await claim() + claim()
        #expect(rest.allSatisfy { $0.tenant != running.owner.tenant })
        let pausedApp = try await administration.paused()
        try await fixture.database.change(
            "update jobs set state = 'ready', lease_until = null, leased_by = null where id <> $1", .uuid(running.id.uuid))
        #expect(try await administration.resume(.media, of: running.owner.tenant, by: "op"))
        #expect(try await administration.pause(.media, of: nil, by: "op"))
        #expect(try await administration.pause(.speech, of: nil, by: "op"))
        #expect(try await claim().isEmpty)
        try await (running.owner == fixture.person.owner ? fixture : other).finish(running)
        #expect(try await administration.resume(.media, of: nil, by: "op"))
        #expect(try await !administration.resume(.media, of: nil, by: "op"))
        #expect(try await claim().count == 1)

        #expect(
            pausedApp.count == 1 && pausedApp.first?.queue == .media && pausedApp.first?.slug != nil && pausedApp.first?.operator == "op")
        #expect(try await administration.paused().map(\.slug) == [nil])
        let ofAll = try await tenants.acts(on: "*", limit: 10)
        #expect(
            ofAll.map(\.kind) == [.workResumed, .workPaused, .workPaused] && ofAll.map(\.settings) == [["media"], ["speech"], ["media"]])
        let held = running.owner == fixture.person.owner ? slug : try #require(pausedApp.first?.slug)
        #expect(try await tenants.acts(on: held, limit: 10).map(\.kind).prefix(2) == [.workResumed, .workPaused])
    }

    @Test("jobs that failed permanently are tried again with their entries and exports, by id, code and app; others are passed over")
    func retries() async throws {
        let (fixture, administration) = try await Self.make()
        let other = try await WorkerFixture.make(in: fixture.database)
        func fail(_ fixture: WorkerFixture, _ kind: JobKind, _ code: ProcessingCode) async throws -> LeasedJob {
            try await fixture.ready(kind)
            let job = try await fixture.claim(kind)
            try await fixture.begin(job)
            try await fixture.queue.discard(job, code: code)
            return job
        }
        let heard = try await fail(fixture, .transcribe, .speechUnavailable)
        let export = try await fail(fixture, .export, .storageUnavailable)
        let mail = try await fail(fixture, .mail, .mailRefused)
        let deleted = try await fail(fixture, .verify, .mediaUnreadable)
        _ = try await fixture.entries.delete(
            EntryID(deleted.subject), expecting: nil, keyID: fixture.person.keyID, by: fixture.person.member)
        let elsewhere = try await fail(other, .verify, .mediaUnreadable)
        func retry(_ filter: RetryFilter, after: JobID? = nil, limit: Int = 100) async throws -> [RetriedJob] {
            try await administration.retry(filter, after: after, limit: limit, by: "op")
        }

        #expect(try await retry(RetryFilter(code: "media_too_long")).isEmpty)
        #expect(try await retry(RetryFilter(job: heard.id)).map(\.isReady) == [true])
        #expect(try await retry(RetryFilter(job: heard.id)).isEmpty)
        let shown = try await fixture.entries.entry(EntryID(heard.subject), of: fixture.person.member)?.facts
        #expect(shown?.status == .uploaded && shown?.processing?.stage == .transcribe && shown?.processing?.code == nil)
        let again = try await fixture.claim(.transcribe)
        #expect(again.id == heard.id && again.errors == 0 && again.attempt == 2)

        let unreadable = try await retry(RetryFilter(code: "media_unreadable", tenant: other.person.owner.tenant))
        #expect(unreadable == [RetriedJob(id: elsewhere.id, kind: .verify, isReady: true)])
        let first = try await retry(RetryFilter(), limit: 1)
        let rest = try await retry(RetryFilter(), after: first.last?.id)
        let looked = Dictionary(uniqueKeysWithValues: (first + rest).map { ($0.id, $0.isReady) })
        #expect(looked == [export.id: true, mail.id: false, deleted.id: false])
        #expect(try await fixture.claim(.export).id == export.id)
    }

    @Test("jobs that wait for a later time run now, by id, code and app, their tries as they were; their entries show it, others wait on")
    func hastens() async throws {
        let (fixture, administration) = try await Self.make()
        let other = try await WorkerFixture.make(in: fixture.database)
        func wait(_ fixture: WorkerFixture, _ code: ProcessingCode) async throws -> LeasedJob {
            try await fixture.ready(.transcribe)
            let job = try await fixture.claim(.transcribe)
            try await fixture.begin(job)
            try await fixture.queue.postpone(job, code: code, afterSeconds: 80_000)
            return job
        }
        let paused = try await wait(fixture, .enginePaused)
        let limited = try await wait(fixture, .budgetExceeded)
        let elsewhere = try await wait(other, .enginePaused)
        try await fixture.ready(.mail)
        let mail = try await fixture.claim(.mail)
        try await fixture.queue.retry(mail, code: .mailUnavailable, afterSeconds: 3_600)
        func hasten(_ filter: RetryFilter, after: JobID? = nil, limit: Int = 100) async throws -> [RetriedJob] {
            try await administration.hasten(filter, after: after, limit: limit, by: "op")
        }
        func waits(_ job: LeasedJob) async throws -> Date? {
            try await fixture.entries.entry(EntryID(job.subject), of: fixture.person.member)?.facts.processing?.nextAttemptAt
        }

        #expect(try await hasten(RetryFilter(code: "engine_busy")).isEmpty)
        let ofApp = try await hasten(RetryFilter(code: "engine_paused", tenant: other.person.owner.tenant))
        #expect(ofApp == [RetriedJob(id: elsewhere.id, kind: .transcribe, isReady: true)])
        #expect(try await fixture.claim(.transcribe).id == elsewhere.id)

        #expect(try await hasten(RetryFilter(job: limited.id)).map(\.isReady) == [true])
        #expect(try await hasten(RetryFilter(job: limited.id)).isEmpty, "it waits no longer")
        #expect(try #require(try await waits(limited)) < Date(timeIntervalSinceNow: 60))
        #expect(try #require(try await waits(paused)) > Date(timeIntervalSinceNow: 3_600))
        let again = try await fixture.claim(.transcribe)
        #expect(again.id == limited.id && again.errors == 0 && again.attempt == 2)
        #expect(try await fixture.queue.claim([.transcribe, .mail], limit: 9, worker: "w", leaseSeconds: 60).isEmpty)

        let first = try await hasten(RetryFilter(), limit: 1)
        let rest = try await hasten(RetryFilter(), after: first.last?.id)
        #expect((first + rest).map(\.id) == [paused.id, mail.id] && (first + rest).allSatisfy(\.isReady))
        #expect(try await fixture.claim(.transcribe).id == paused.id)
        #expect(try await fixture.claim(.mail).errors == 1)
        let tenants = PostgresTenantAdministration(pool: try fixture.database.pool(.admin))
        let slug = try #require(try await tenants.all().first { $0.id == fixture.person.owner.tenant }?.slug)
        #expect(try await tenants.acts(on: slug, limit: 10).map(\.kind).prefix(2) == [.jobsRetried, .jobsRetried])
    }

    @Test(
        "the mail of an export that is tried again waits again, unless its schedule sends none any more",
        arguments: [nil, true, false] as [Bool?])
    func mailsOfExports(scheduleMails: Bool?) async throws {
        let (fixture, administration) = try await Self.make()
        let (owner, member) = (fixture.person.owner, fixture.person.member)
        let id = ExportID(try await fixture.ready(.export))
        let schedule = UUID()
        if let scheduleMails {
            try await fixture.database.change(
                """
                insert into export_schedules (tenant_id, user_id, id, every, at_minute, time_zone, covers, include_audio, formats, layer, mail)
                values ($1, $2, $3, 'day', 360, 'UTC', 'all', true, '{txt}', 'shown', $4)
                """, owner.parameters[0], owner.parameters[1], .uuid(schedule), .bool(scheduleMails))
            try await fixture.database.change("update exports set schedule_id = $2 where id = $1", .uuid(id.uuid), .uuid(schedule))
        }
        let job = try await fixture.claim(.export)
        try await fixture.begin(job)
        try await fixture.queue.discard(job, code: .storageUnavailable)
        #expect(try await fixture.exports.export(id, of: member)?.mailStatus == .failed)

        #expect(try await administration.retry(RetryFilter(job: job.id), after: nil, limit: 9, by: "op").map(\.isReady) == [true])

        let shown = try #require(try await fixture.exports.export(id, of: member))
        #expect(shown.status == .queued && shown.mailStatus == (scheduleMails == false ? .notAsked : .waiting))
        let again = try await fixture.claim(.export)
        try await fixture.begin(again)
        #expect(try await fixture.finish(again) == (scheduleMails == false ? nil : .mail))
    }

    @Test("a failed run of a finished entry is tried again as one: it keeps its texts, and another failure leaves them too")
    func reruns() async throws {
        let (fixture, administration) = try await Self.make()
        let (member, keyID) = (fixture.person.member, fixture.person.keyID)
        func retry(_ job: LeasedJob) async throws -> [Bool] {
            try await administration.retry(RetryFilter(job: job.id), after: nil, limit: 10, by: "op").map(\.isReady)
        }
        for stage in [NewRun.Stage.transcribe, .clean] {
            let id = try await fixture.transcribed()
            _ = try await fixture.entries.reprocess(
                id, NewRun(stage: stage, engine: "x"), keyID: keyID, job: fixture.nextJob(), claim: nil, by: member)
            let failed = try await fixture.claim(stage.kind)
            _ = try await fixture.transcriptions.beginEntry(failed)
            try await fixture.queue.discard(failed, code: .speechUnavailable)

            #expect(try await retry(failed) == [true])
            let waiting = try #require(try await fixture.entries.entry(id, of: member))
            #expect(waiting.facts.status == (stage == .transcribe ? .transcribing : .cleaning))
            #expect(waiting.facts.processing?.stage == stage.kind && waiting.facts.processing?.code == nil)
            #expect(waiting.machine?.bytes == [6])

            let again = try await fixture.claim(stage.kind)
            #expect(again.id == failed.id && again.errors == 0)
            #expect(try await fixture.transcriptions.beginEntry(again).run == EntryRun(rerunFrom: stage.kind))
            try await fixture.queue.discard(again, code: .speechTimeout)
            #expect(try await fixture.entries.entry(id, of: member)?.facts.status == .transcribed)

            // Its owner was faster, and has what they wanted.
            _ = try await fixture.entries.reprocess(id, NewRun(stage: stage), keyID: keyID, job: fixture.nextJob(), claim: nil, by: member)
            #expect(try await retry(again) == [false], "another job of the entry waits")
            let last = try await fixture.claim(stage.kind)
            let version = WorkerFixture.written + 1
            if stage == .transcribe {
                _ = try await fixture.transcriptions.finishTranscribe(
                    last, machine: fixture.words(version), segments: fixture.words(version), language: "en", insteadOf: "en")
            } else {
                _ = try await fixture.transcriptions.finishMachine(last, machine: fixture.words(version))
            }
            try await fixture.finishStages(after: stage.kind, version: version)
            #expect(try await retry(again) == [false], "nothing of it has failed")
            #expect(try await fixture.entries.entry(id, of: member)?.facts.status == .transcribed)
        }
    }

    @Test("workers are listed with their version, and as alive or not")
    func workers() async throws {
        let (fixture, administration) = try await Self.make()
        let presence = PostgresWorkerPresence(pool: try fixture.database.pool(.worker))
        try await presence.report(WorkerIdentity(name: "b/2", version: "0.2.0"), hears: true)
        try await fixture.database.change("update workers set seen_at = seen_at - interval '1 hour'")
        try await presence.report(WorkerIdentity(name: "a/1", version: "0.1.0"), hears: true)

        let workers = try await administration.workers()

        #expect(workers.map(\.name) == ["a/1", "b/2"])
        #expect(workers.map(\.isAlive) == [true, false])
        #expect(workers.map(\.version) == ["0.1.0", "0.2.0"])
    }

    @Test("the administrator's role may read no job and no entry by itself, and report no worker (C3)")
    func refused() async throws {
        let (fixture, _) = try await Self.make()
        let pool = try fixture.database.pool(.admin)
        for sql in [
            "select id from jobs", "select id from entries", "delete from workers",
            "insert into workers (id, name, version) values (gen_random_uuid(), 'x', 'x')",
        ] {
            let error = await failure { () throws(DatabaseError) in try await pool.run([Statement(sql)]) }
            #expect(error?.sqlstate == "42501", "\(sql)")
        }
    }
}
