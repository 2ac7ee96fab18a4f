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

    @Test("workers are listed with their version, and as alive or not")
    func workers() async throws {
        let (fixture, administration) = try await Self.make()
        let presence = PostgresWorkerPresence(pool: try fixture.database.pool(.worker))
        try await presence.report(WorkerIdentity(name: "b/2", version: "0.2.0"))
        try await fixture.database.change("update workers set seen_at = seen_at - interval '1 hour'")
        try await presence.report(WorkerIdentity(name: "a/1", version: "0.1.0"))

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
