import DiaryCore
import Foundation
import PostgresClient
import TestDatabases
import TestSupport
import Testing

@testable import DiaryDatabase

/// Rows C6 and A13 at the claim: whose job is next (decision 0029).
@Suite("Fair queues", .timeLimit(.minutes(2)))
struct FairQueueTests {
    struct Scene {
        let database: MigratedDatabase
        let queue: PostgresJobQueue

        static func make() async throws -> Scene {
            let database = try await MigratedDatabase.make()
            return Scene(database: database, queue: PostgresJobQueue(pool: try database.pool(.worker)))
        }

        /// Ready jobs, the first the oldest; later calls add younger ones.
        func add(_ count: Int, of person: Person, cost: Double = 1, kind: JobKind = .verify) async throws {
            try await database.change(
                """
                insert into jobs (id, tenant_id, user_id, kind, subject, run_at, cost)
                select gen_random_uuid(), $1, $2, $3, gen_random_uuid(),
                    clock_timestamp() - interval '1 hour' + n * interval '1 ms', $4 from generate_series(1, $5) n
                """, .uuid(person.owner.tenant.uuid), .uuid(person.owner.user.uuid), .text(kind.rawValue), .double(cost),
                .int4(Int32(count)))
        }

        /// - Parameter name: what was used is known by it, so that a claim of another name begins anew.
        func claim(
            _ limit: Int, of name: QueueName = .media, worker: String = "w", isLong: Bool = false, accountMost: Int = .max,
            heavyMost: Int = .max, corrections: [QueueCharge] = []
        ) async throws -> [LeasedJob] {
            var claim = JobClaim([.verify], of: name, limit: limit, worker: worker, leaseSeconds: 60)
            claim.isLong = isLong
            claim.accountMost = accountMost
            claim.heavyMost = heavyMost
            claim.corrections = corrections
            return try await queue.claim(claim)
        }

        /// As if jobs of the account had taken so long.
        func use(_ seconds: Double, by person: Person, of name: QueueName = .media) async throws {
            let job = LeasedJob(
                id: JobID(UUID()), owner: person.owner, kind: .verify, subject: UUID(), attempt: 1, errors: 0, crashes: 0, cost: 0)
            _ = try await claim(0, of: name, corrections: [QueueCharge(job, took: .seconds(seconds))])
        }
    }

    @Test("C6: 500 waiting jobs of one account delay neither another account of the app nor another app")
    func crowd() async throws {
        let scene = try await Scene.make()
        let busy = try await Person.make(in: scene.database)
        try await scene.add(500, of: busy)
        #expect(try await scene.claim(4).count == 4)
        let sameApp = try await Person.make(in: scene.database, tenant: busy.owner.tenant)
        let otherApp = try await Person.make(in: scene.database)
        try await scene.add(1, of: sameApp)
        try await scene.add(1, of: otherApp)

        let next = try await scene.claim(2).map(\.owner)

        #expect(next == [otherApp.owner, sameApp.owner])
    }

    @Test("C6: accounts share a queue by seconds of work, not by jobs; so do apps")
    func seconds() async throws {
        let scene = try await Scene.make()
        let costly = try await Person.make(in: scene.database)
        let cheap = try await Person.make(in: scene.database, tenant: costly.owner.tenant)
        let other = try await Person.make(in: scene.database)
        try await scene.add(100, of: costly, cost: 9)
        try await scene.add(400, of: cheap, cost: 1)
        try await scene.add(400, of: other, cost: 3)

        var taken: [Owner: Double] = [:]
        for _ in 0..<60 {
            for job in try await scene.claim(2) { taken[job.owner, default: 0] += job.cost }
        }

        let (a, b, c) = (taken[costly.owner, default: 0], taken[cheap.owner, default: 0], taken[other.owner, default: 0])
        #expect(abs(a - b) <= 9 && abs(a + b - c) <= 12, "\(a) \(b) \(c)")
    }

    @Test("C6: one account runs at most its share of a worker's slots; another worker counts its own")
    func accountMost() async throws {
        let scene = try await Scene.make()
        let person = try await Person.make(in: scene.database)
        try await scene.add(10, of: person)

        #expect(try await scene.claim(4, accountMost: 2).count == 2)
        #expect(try await scene.claim(2, accountMost: 2).isEmpty)
        #expect(try await scene.claim(4, worker: "other", accountMost: 2).count == 2)
    }

    @Test("C6: accounts that used much of a queue leave a slot to those that did not")
    func lightSlot() async throws {
        let scene = try await Scene.make()
        let (one, other) = (try await Person.make(in: scene.database), try await Person.make(in: scene.database))
        try await scene.add(20, of: one, cost: 9)
        try await scene.add(20, of: other, cost: 9)

        let first = try await scene.claim(3, accountMost: 1, heavyMost: 2)
        let full = try await scene.claim(1, accountMost: 2, heavyMost: 2)
        let light = try await Person.make(in: scene.database, tenant: one.owner.tenant)
        try await scene.add(3, of: light)
        let next = try await scene.claim(1, heavyMost: 2)
        let elsewhere = try await scene.claim(1, worker: "other", heavyMost: 1)

        #expect(Set(first.map(\.owner)) == [one.owner, other.owner] && first.count == 2 && full.isEmpty)
        #expect(next.map(\.owner) == [light.owner])
        #expect(elsewhere.count == 1)
    }

    @Test("C6: accounts that used little come first, also those of the app that used most, and have slots kept, however many apps wait")
    func lightFirst() async throws {
        let scene = try await Scene.make()
        for _ in 0..<20 {
            let heavy = try await Person.make(in: scene.database)
            try await scene.use(30, by: heavy)
            try await scene.add(2, of: heavy)
        }
        let running = try await scene.claim(30, accountMost: 1, heavyMost: 11)
        let busiest = try await Person.make(in: scene.database)
        try await scene.use(900, by: busiest)
        var light: Set<Owner> = []
        for _ in 0..<3 {
            let person = try await Person.make(in: scene.database, tenant: busiest.owner.tenant)
            try await scene.add(2, of: person)
            light.insert(person.owner)
        }

        let kept = try await scene.claim(4, accountMost: 1, heavyMost: 11).map(\.owner)
        let first = try await scene.claim(3, worker: "v").map(\.owner)

        #expect(running.count == 11)
        #expect(kept.count == 3 && Set(kept) == light && Set(first) == light)
    }

    @Test("C6: a claim takes jobs of its class alone; neither hours of a recording nor a short job that took long delay others of the app")
    func classes() async throws {
        let scene = try await Scene.make()
        let busy = try await Person.make(in: scene.database)
        let elsewhere = try await Person.make(in: scene.database)
        try await scene.add(1, of: busy, cost: 3_500)
        try await scene.add(100, of: busy, cost: 2)
        try await scene.add(100, of: elsewhere, cost: 2)
        let long = try await scene.claim(3, isLong: true)
        let short = try await scene.claim(40)
        let slow = try #require(short.first { $0.owner == busy.owner })
        let sameApp = try await Person.make(in: scene.database, tenant: busy.owner.tenant)
        try await scene.add(2, of: sameApp)

        let first = try await scene.claim(1)
        let second = try await scene.claim(1, corrections: [QueueCharge(slow, took: .seconds(60))])
        let rest = try await scene.claim(20)

        #expect(long.map(\.cost) == [3_500] && short.count == 40 && short.allSatisfy { !$0.isLong })
        #expect(short.count { $0.owner == busy.owner } == 20)
        #expect(first.map(\.owner) == [sameApp.owner] && second.map(\.owner) == [sameApp.owner])
        #expect(rest.count == 20 && rest.allSatisfy { $0.owner == elsewhere.owner })
    }

    @Test("C6: what a job took beyond its estimate counts, and what it did not take is given back")
    func corrections() async throws {
        let scene = try await Scene.make()
        let slow = try await Person.make(in: scene.database)
        let fast = try await Person.make(in: scene.database, tenant: slow.owner.tenant)
        try await scene.add(10, of: slow)
        try await scene.add(10, of: fast)
        let jobs = try await scene.claim(2)
        let ended = try #require(jobs.first { $0.owner == slow.owner })

        let next = try await scene.claim(5, corrections: [QueueCharge(ended, took: .seconds(101))])
        let given = try #require(next.last)
        // Both have used nothing then, and none is owed anything.
        let after = try await scene.claim(
            6, corrections: (0..<200).map { _ in QueueCharge(given, took: .zero) } + [QueueCharge(ended, took: .seconds(-100))])

        #expect(next.count == 5 && next.allSatisfy { $0.owner == fast.owner })
        #expect(after.count == 6 && after.count { $0.owner == slow.owner } == 3)
    }

    @Test("C6: a claim of many jobs hands them out in the order of as many claims of one, and charges the same", arguments: [3, 9, 16])
    func order(limit: Int) async throws {
        let scene = try await Scene.make()
        let one = try await Person.make(in: scene.database)
        let other = try await Person.make(in: scene.database, tenant: one.owner.tenant)
        let elsewhere = try await Person.make(in: scene.database)
        // No two have used the same amount, or chance would decide.
        let people = [(one, 1.3, 0.4), (other, 0.7, 0.57), (elsewhere, 2.1, 0.9)]
        for (person, cost, _) in people { try await scene.add(20, of: person, cost: cost) }
        func owners(of name: QueueName, _ limits: [Int]) async throws -> [Owner] {
            for (person, _, used) in people { try await scene.use(used, by: person, of: name) }
            var jobs: [LeasedJob] = []
            for limit in limits { jobs += try await scene.claim(limit, of: name) }
            try await scene.queue.release(jobs)
            return jobs.map(\.owner)
        }
        let ones = [Int](repeating: 1, count: 9)

        let single = try await owners(of: .media, [Int](repeating: 1, count: limit) + ones)
        let many = try await owners(of: .text, [limit] + ones)

        #expect(many == single && many.count == limit + 9 && Set(many).count == 3)
    }

    @Test("use of a queue halves in ten minutes, and never fails however long ago it was")
    func fades() async throws {
        let scene = try await Scene.make()

        try await scene.database.change(
            """
            insert into queue_use values ('text', false, 1, 100, clock_timestamp() - interval '10 minutes'), ('text', false, 2, 100, '2000-01-01')
            """)

        #expect(try await scene.database.text("select string_agg(round(seconds)::text, ' ' order by subject) from queue_used") == "50 0")
    }

    @Test("C6: of more waiting accounts than a claim looks at, each is served, also when all registered in one second and keep having jobs")
    func many() async throws {
        let scene = try await Scene.make()
        let person = try await Person.make(in: scene.database)
        // Ids of version 7: one of the year before, the others of milliseconds one after the other.
        try await scene.database.change(
            """
            with people as (
                insert into users (tenant_id, id)
                select $1, (lpad(to_hex(case n when 1 then 1700000000000 else 1731536000000 + n end), 12, '0')
                    || '7' || substr(md5(n::text), 1, 3) || '8' || substr(md5(n::text), 4, 15))::uuid
                from generate_series(1, 300) n returning id)
            insert into jobs (id, tenant_id, user_id, kind, subject) select gen_random_uuid(), $1, id, 'verify', gen_random_uuid()
                from people, generate_series(1, 4)
            """, .uuid(person.owner.tenant.uuid))

        var (owners, claims): (Set<Owner>, Int) = ([], 0)
        while owners.count < 300, claims < 1_000 {
            let jobs = try await scene.claim(4)
            claims += 1
            owners.formUnion(jobs.map(\.owner))
            try await scene.queue.release(jobs)
        }

        #expect(owners.count == 300, "after \(claims) claims")
    }

    @Test("C6: of a hundred waiting accounts of an app each claim takes the one that has used little")
    func light() async throws {
        let scene = try await Scene.make()
        let person = try await Person.make(in: scene.database)
        try await scene.add(1, of: person, cost: 0.1)
        try await scene.database.change(
            """
            with people as (insert into users (tenant_id, id) select $1, gen_random_uuid() from generate_series(1, 99) returning id),
                used as (insert into queue_use (queue, is_long, subject, seconds) select 'media', false, use_subject($1, id), 100 from people)
            insert into jobs (id, tenant_id, user_id, kind, subject) select gen_random_uuid(), $1, id, 'verify', gen_random_uuid() from people
            """, .uuid(person.owner.tenant.uuid))

        for _ in 1...20 {
            let jobs = try await scene.claim(1)
            #expect(jobs.map(\.owner) == [person.owner])
            try await scene.queue.release(jobs)
        }
    }

    @Test("C6: jobs of hundreds of accounts that wait for a later time do not hide a due job of another, and are claimed when it has come")
    func laterJobs() async throws {
        let scene = try await Scene.make()
        let app = try await Person.make(in: scene.database).owner.tenant
        try await scene.database.change(
            """
            with people as (insert into users (tenant_id, id) select $1, gen_random_uuid() from generate_series(1, 400) returning id)
            insert into jobs (id, tenant_id, user_id, kind, subject, run_at)
                select gen_random_uuid(), $1, id, 'verify', gen_random_uuid(), clock_timestamp() + interval '1 hour' from people
            """, .uuid(app.uuid))
        let chosen = "select id::text from users where tenant_id = $1 order by random() limit 1"
        let one = try #require(try await scene.database.text(chosen, .uuid(app.uuid)))
        try await scene.database.change(
            "insert into jobs (id, tenant_id, user_id, kind, subject) select gen_random_uuid(), $1, $2::uuid, 'verify', gen_random_uuid()",
            .uuid(app.uuid), .text(one))

        let first = try await scene.claim(4)
        try await scene.database.change(
            "delete from jobs where state = 'ready' and id not in (select id from jobs where state = 'ready' limit 30)")
        try await scene.database.change("update jobs set run_at = clock_timestamp() + interval '0.1 seconds' where state = 'ready'")
        var due: Set<JobID> = []
        try await until {
            due.formUnion(try await scene.claim(40).map(\.id))
            return due.count == 30
        }

        #expect(first.map(\.owner.user.uuid.uuidString) == [one.uppercased()])
    }

    @Test("a job that is put off and then made due again is claimed at once")
    func dueAgain() async throws {
        let scene = try await Scene.make()
        try await scene.add(1, of: try await Person.make(in: scene.database))
        let job = try #require(try await scene.claim(1).first)
        try await scene.queue.postpone(job, code: .enginePaused, afterSeconds: 3_600)

        let before = try await scene.claim(1)
        try await scene.database.change("update jobs set run_at = clock_timestamp() where state = 'ready'")
        let after = try await scene.claim(1)

        #expect(before.isEmpty && after.map(\.id) == [job.id])
    }

    @Test("A13: of jobs that may have crashed a worker, each worker runs one at a time, and those behind many are claimed")
    func suspects() async throws {
        let scene = try await Scene.make()
        let person = try await Person.make(in: scene.database)
        try await scene.add(9, of: person)
        try await scene.database.change("update jobs set crashes = 1")
        try await scene.add(2, of: person)

        let first = try await scene.claim(5)
        let second = try await scene.claim(5)
        let other = try await scene.claim(5, worker: "v")

        #expect(first.map(\.crashes) == [1, 0, 0] && second.isEmpty && other.map(\.crashes) == [1])
    }

    @Test("A13, C6: where an account's oldest job may have crashed a worker and must wait, its next one and accounts behind it do not")
    func waitingSuspects() async throws {
        let scene = try await Scene.make()
        var people: [Person] = []
        for use in [0.0, 1, 3] {
            let person = try await Person.make(in: scene.database)
            people.append(person)
            try await scene.use(use, by: person)
            if use < 3 { try await scene.add(2, of: person) }
        }
        try await scene.database.change("update jobs set crashes = 1")
        for person in people[1...] { try await scene.add(1, of: person) }

        let claimed = try await scene.claim(3, accountMost: 1)

        #expect(claimed.map(\.owner) == people.map(\.owner) && claimed.map(\.crashes) == [1, 0, 0])
    }

    @Test("A13: a mail that may have crashed a worker waits for no such job of another queue, and for such a mail")
    func suspectMails() async throws {
        let scene = try await Scene.make()
        let person = try await Person.make(in: scene.database)
        try await scene.add(1, of: person, cost: 3_600)
        try await scene.add(2, of: person, kind: .mail)
        try await scene.database.change("update jobs set crashes = 1")
        let claim = JobClaim([.mail], of: .mail, limit: 4, worker: "w", leaseSeconds: 60)

        #expect(try await scene.claim(1, isLong: true).count == 1)
        let (first, second) = (try await scene.queue.claim(claim), try await scene.queue.claim(claim))

        #expect(first.map(\.kind) == [.mail] && second.isEmpty)
    }

    @Test("A13: before its last crash a mail does wait for a job of another queue that may have crashed a worker")
    func lastCrash() async throws {
        let scene = try await Scene.make()
        let person = try await Person.make(in: scene.database)
        try await scene.add(1, of: person)
        try await scene.add(1, of: person, kind: .mail)
        try await scene.database.change("update jobs set crashes = 2")
        #expect(try await scene.claim(1).count == 1)
        var claim = JobClaim([.mail], of: .mail, limit: 4, worker: "w", leaseSeconds: 60)
        #expect(try await scene.queue.claim(claim).isEmpty)
        claim.worker = "v"
        #expect(try await scene.queue.claim(claim).count == 1)
    }

    @Test("a job that another transaction holds is passed over", arguments: [1, 2, 5])
    func locked(limit: Int) async throws {
        let scene = try await Scene.make()
        let person = try await Person.make(in: scene.database)
        try await scene.add(4, of: person)

        let holder = try await scene.database.holding(Statement("select from jobs order by run_at limit 2 for update"))
        let claimed = try await scene.claim(limit)
        _ = try await holder.run([Statement("rollback")])
        let rest = try await scene.claim(5)

        #expect(claimed.count == min(limit, 2) && Set((claimed + rest).map(\.id)).count == 4)
    }

    @Test("C6: a job that another transaction holds is not charged")
    func heldIsNotCharged() async throws {
        let scene = try await Scene.make()
        let (held, free) = (try await Person.make(in: scene.database), try await Person.make(in: scene.database))
        try await scene.add(2, of: held, cost: 9)
        try await scene.add(2, of: free, cost: 9)
        let holder = try await scene.database.holding(
            Statement("select from jobs where user_id = $1 for update", [.uuid(held.owner.user.uuid)]))

        let claimed = try await scene.claim(3, accountMost: 1)
        _ = try await holder.run([Statement("rollback")])

        #expect(claimed.map(\.owner) == [free.owner])
        #expect(try await scene.claim(1).map(\.owner) == [held.owner])
    }

    @Test("a recording's bytes and seconds, and an export's entries, make its jobs' costs")
    func costs() async throws {
        let fixture = try await WorkerFixture.make()
        let cost = "select round(cost::numeric, 1)::text from jobs where kind = $1 order by created_at desc limit 1"
        try await fixture.ready(.verify)
        let job = try await fixture.claim(.verify)
        let hour = MediaFacts(durationSeconds: 3_600, codec: "aac", channels: 1, sampleRate: 44_100)

        _ = try await fixture.transcriptions.finishVerify(
            job, facts: hour, size: 1_000, sha256: [1], rendition: NewRendition(copy: nil, waveform: fixture.words(1)))
        try await fixture.ready(.export)

        #expect(job.cost == JobCost.small)
        #expect(try await fixture.database.text(cost, .text("transcribe")) == "515.3")
        #expect(try await fixture.database.text(cost, .text("export")) == "0.5")
        #expect(try await fixture.claim(.transcribe).isLong)
    }
}
