import DiaryCore
import Foundation
import PostgresClient
import TestDatabases
import Testing

@testable import DiaryDatabase

/// Row C6 at the claim: whose job is next.
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

        func claim(
            _ limit: Int, worker: String = "w", accountMost: Int = .max, longMost: Int = .max, heavyMost: Int = .max,
            corrections: [QueueCharge] = []
        ) async throws -> [LeasedJob] {
            var claim = JobClaim([.verify], of: .media, limit: limit, worker: worker, leaseSeconds: 60)
            claim.accountMost = accountMost
            claim.longMost = longMost
            claim.heavyMost = heavyMost
            claim.corrections = corrections
            return try await queue.claim(claim)
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

    @Test("C6: a claim that may take no more long jobs takes short ones that stand behind them")
    func long() async throws {
        let scene = try await Scene.make()
        let person = try await Person.make(in: scene.database)
        try await scene.add(50, of: person, cost: 100)
        try await scene.add(2, of: person, cost: 10)

        let first = try await scene.claim(3, longMost: 1)
        let second = try await scene.claim(3, longMost: 0)

        #expect(first.map(\.isLong).sorted { $0 && !$1 } == [true, false, false])
        #expect(second.isEmpty)
    }

    @Test("C6: accounts that used much of a queue leave a slot to the short jobs of those that did not")
    func lightSlot() async throws {
        let scene = try await Scene.make()
        let (one, other) = (try await Person.make(in: scene.database), try await Person.make(in: scene.database))
        try await scene.add(20, of: one, cost: 9)
        try await scene.add(20, of: other, cost: 9)

        let first = try await scene.claim(3, accountMost: 1, heavyMost: 2)
        let full = try await scene.claim(1, accountMost: 2, heavyMost: 2)
        let light = try await Person.make(in: scene.database, tenant: one.owner.tenant)
        try await scene.add(1, of: light, cost: 20)
        try await scene.add(3, of: light, cost: 1)
        let next = try await scene.claim(1, heavyMost: 2)
        let elsewhere = try await scene.claim(1, worker: "other", heavyMost: 1)

        #expect(Set(first.map(\.owner)) == [one.owner, other.owner] && first.count == 2 && full.isEmpty)
        #expect(next.map(\.owner) == [light.owner] && next.allSatisfy { !$0.isLong })
        #expect(elsewhere.count == 1)
    }

    @Test("C6: where more apps wait than a claim looks at, the slot is kept, too")
    func lightSlotOfManyApps() async throws {
        let scene = try await Scene.make()
        for _ in 0..<12 { try await scene.add(3, of: try await Person.make(in: scene.database), cost: 9) }

        let jobs = try await scene.claim(36, accountMost: 1, heavyMost: 11)
        let more = try await scene.claim(1, heavyMost: 11)

        // Each account's first job: until then it is light.
        #expect(jobs.count == 12 && Set(jobs.map(\.owner)).count == 12 && more.isEmpty)

        // A light account of the app that has used most.
        let busiest = try #require(jobs.last)
        try await scene.database.change(
            "update queue_use set seconds = seconds + 100 where queue = 'media' and subject = use_subject($1)",
            .uuid(busiest.owner.tenant.uuid))
        let light = try await Person.make(in: scene.database, tenant: busiest.owner.tenant)
        try await scene.add(1, of: light)
        #expect(try await scene.claim(1, heavyMost: 11).map(\.owner) == [light.owner])
    }

    @Test("C6: neither hours of a long recording nor a short job that took long delay short jobs of other accounts of the app")
    func classes() async throws {
        let scene = try await Scene.make()
        let busy = try await Person.make(in: scene.database)
        let elsewhere = try await Person.make(in: scene.database)
        try await scene.add(1, of: busy, cost: 3_500)
        try await scene.add(100, of: busy, cost: 2)
        try await scene.add(100, of: elsewhere, cost: 2)
        let running = try await scene.claim(40, longMost: 1)
        let long = try #require(running.first { $0.isLong })
        let short = try #require(running.first { $0.owner == busy.owner && !$0.isLong })
        let sameApp = try await Person.make(in: scene.database, tenant: busy.owner.tenant)
        try await scene.add(2, of: sameApp)

        let first = try await scene.claim(1, longMost: 0, corrections: [QueueCharge(long, took: .seconds(140))])
        let second = try await scene.claim(1, longMost: 0, corrections: [QueueCharge(short, took: .seconds(60))])
        let rest = try await scene.claim(20, longMost: 0)

        #expect(running.count { $0.owner == busy.owner && !$0.isLong } >= 19)
        #expect(first.map(\.owner) == [sameApp.owner] && second.map(\.owner) == [sameApp.owner])
        #expect(rest.allSatisfy { $0.owner == elsewhere.owner })
    }

    @Test("C6: short and long jobs share slots that both may have by seconds")
    func sharedSlot() async throws {
        let scene = try await Scene.make()
        let person = try await Person.make(in: scene.database)
        try await scene.add(10, of: person, cost: 20)
        try await scene.add(100, of: person, cost: 5)

        var kinds: [Bool] = []
        for _ in 0..<20 { kinds += try await scene.claim(1, longMost: 1).map(\.isLong) }

        #expect((3...5).contains(kinds.count { $0 }), "\(kinds)")
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
        let after = try await scene.claim(
            1, corrections: (0..<200).map { _ in QueueCharge(given, took: .zero) } + [QueueCharge(ended, took: .seconds(-100))])

        #expect(next.allSatisfy { $0.owner == fast.owner })
        #expect(after.count == 1)
        #expect(try await scene.database.int("select count(*) from queue_use where seconds < 0") == 0)
    }

    @Test("C6: a claim of many jobs hands them out in the order of as many claims of one, and charges the same")
    func order() async throws {
        let scene = try await Scene.make()
        let one = try await Person.make(in: scene.database)
        let other = try await Person.make(in: scene.database, tenant: one.owner.tenant)
        let elsewhere = try await Person.make(in: scene.database)
        try await scene.add(8, of: one, cost: 1.3)
        try await scene.add(8, of: other, cost: 0.7)
        try await scene.add(8, of: elsewhere, cost: 2.1)
        // No two have used the same amount, or chance would decide.
        func begin() async throws {
            try await scene.database.change("update jobs set state = 'ready', lease_until = null, leased_by = null")
            try await scene.database.change("delete from queue_use")
            for (place, person) in [one, other, elsewhere].enumerated() {
                try await scene.database.change(
                    """
                    insert into queue_use (queue, subject, seconds)
                    values ('media', use_subject($1), $3 / 2), ('media', use_subject($1, $2), $3)
                    on conflict (queue, subject) do nothing
                    """, .uuid(person.owner.tenant.uuid), .uuid(person.owner.user.uuid), .double([0.4, 0.57, 0.9][place]))
            }
        }
        let use = "select (sum(seconds) * 1000)::bigint from queue_use"

        try await begin()
        var single: [Owner] = []
        for _ in 0..<9 { single += try await scene.claim(1).map(\.owner) }
        let singleUse = try await scene.database.int(use)
        try await begin()
        let many = try await scene.claim(9).map(\.owner)
        let manyUse = try await scene.database.int(use)

        #expect(many == single && many.count == 9 && Set(many).count == 3)
        // Use fades while the claims of one go on.
        #expect(abs(manyUse - singleUse) < 300, "\(manyUse) \(singleUse)")
    }

    @Test("use of a queue halves in ten minutes, and never fails however long ago it was")
    func fades() async throws {
        let scene = try await Scene.make()

        let halved = try await scene.database.text(
            "select round(faded(100, clock_timestamp() - interval '10 minutes'))::text || ' ' || (faded(100, '2000-01-01') < 1)")

        #expect(halved == "50 true")
    }

    @Test("C6: of more waiting accounts than a claim looks at, each is served")
    func many() async throws {
        let scene = try await Scene.make()
        let person = try await Person.make(in: scene.database)
        try await scene.database.change(
            """
            with people as (insert into users (tenant_id, id) select $1, gen_random_uuid() from generate_series(1, 150) returning id)
            insert into jobs (id, tenant_id, user_id, kind, subject) select gen_random_uuid(), $1, id, 'verify', gen_random_uuid()
                from people, generate_series(1, 5)
            """, .uuid(person.owner.tenant.uuid))

        var (owners, taken): (Set<Owner>, Int) = ([], 0)
        // The hundred that every claim looks at have 500 jobs.
        while owners.count < 150, taken < 450 {
            let jobs = try await scene.claim(4)
            if jobs.isEmpty { break }
            taken += jobs.count
            owners.formUnion(jobs.map(\.owner))
        }

        #expect(owners.count == 150)
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
        // Of the middle of the ids: the other half is on each side of it.
        let middle = try #require(
            try await scene.database.text("select id::text from users where tenant_id = $1 order by id offset 200 limit 1", .uuid(app.uuid))
        )
        try await scene.database.change(
            "insert into jobs (id, tenant_id, user_id, kind, subject) select gen_random_uuid(), $1, $2::uuid, 'verify', gen_random_uuid()",
            .uuid(app.uuid), .text(middle))

        let first = try await scene.claim(4)
        try await scene.database.change(
            "delete from jobs where state = 'ready' and id not in (select id from jobs where state = 'ready' limit 30)")
        try await scene.database.change("update jobs set run_at = clock_timestamp() + interval '0.2 seconds' where state = 'ready'")
        try await scene.database.change("select pg_sleep(0.25)")
        let due = try await scene.claim(40)

        #expect(first.map(\.owner.user.uuid.uuidString) == [middle.uppercased()])
        #expect(due.count == 30)
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

    @Test("A13: of jobs that may have crashed a worker, each worker runs one at a time")
    func suspects() async throws {
        let scene = try await Scene.make()
        let person = try await Person.make(in: scene.database)
        try await scene.add(3, of: person)
        try await scene.database.change("update jobs set crashes = 1")
        try await scene.add(2, of: person)

        let first = try await scene.claim(5)
        let second = try await scene.claim(5)
        let other = try await scene.claim(5, worker: "v")

        #expect(first.map(\.crashes).sorted() == [0, 0, 1] && second.isEmpty && other.map(\.crashes) == [1])
    }

    @Test("A13: a mail that may have crashed a worker waits for no such job of another queue, and for such a mail")
    func suspectMails() async throws {
        let scene = try await Scene.make()
        let person = try await Person.make(in: scene.database)
        try await scene.add(1, of: person, cost: 3_600)
        try await scene.add(2, of: person, kind: .mail)
        try await scene.database.change("update jobs set crashes = 1")
        let claim = JobClaim([.mail], of: .mail, limit: 4, worker: "w", leaseSeconds: 60)

        #expect(try await scene.claim(1).count == 1)
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

        func claim(_ worker: String) async throws -> Int {
            try await scene.queue.claim(JobClaim([.mail], of: .mail, limit: 4, worker: worker, leaseSeconds: 60)).count
        }
        #expect(try await claim("w") == 0)
        #expect(try await claim("v") == 1)
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
