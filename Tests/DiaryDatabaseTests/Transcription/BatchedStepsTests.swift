import DiaryCrypto
import Foundation
import PostgresClient
import TestDatabases
import Testing

@testable import DiaryCore
@testable import DiaryDatabase

@Suite("Steps of jobs in batches", .timeLimit(.minutes(2)))
struct BatchedStepsTests {
    /// Accounts of one database, the first two of one app, whose entries wait to be cleaned.
    struct Scene {
        let database: MigratedDatabase
        let accounts: [WorkerFixture]
        let pool: ConnectionPool
        let stage: EntryStage

        static func make() async throws -> Scene {
            let database = try await MigratedDatabase.make()
            let first = try await WorkerFixture.make(in: database)
            let second = try await WorkerFixture.make(
                in: database, person: try await Person.make(in: database, tenant: first.person.owner.tenant))
            let accounts = [first, second, try await WorkerFixture.make(in: database)]
            let stage = try #require(JobCatalogue.diary.stage(.clean))
            return Scene(database: database, accounts: accounts, pool: try database.pool(.worker), stage: stage)
        }

        /// A leased job of each named account.
        func jobs(of numbers: [Int]) async throws -> [LeasedJob] {
            var jobs: [LeasedJob] = []
            for number in numbers {
                try await accounts[number].ready(.clean)
                jobs.append(try await accounts[number].claim(.clean))
            }
            return jobs
        }

        func account(of job: LeasedJob) throws -> WorkerFixture { try #require(accounts.first { $0.person.owner == job.owner }) }

        func begin(_ jobs: [LeasedJob]) async throws -> [HeardEntry?] {
            try await BatchedSteps.send(jobs.map { .begin(.init(job: $0, stage: stage)) }, pool).map { answer in
                guard case .begun(let heard)? = answer else { return nil }
                return heard
            }
        }

        /// - Parameter next: the kind of the job that follows; nil at the end of the pipeline.
        func finish(_ jobs: [LeasedJob], next: JobKind? = nil) async throws -> [Bool] {
            let steps = try jobs.enumerated().map { place, job in
                let machine = try account(of: job).words(2, [UInt8(clamping: place), 1])
                let status = next == nil ? EntryStatus.transcribed : .cleaning
                return BatchedSteps.Step.finish(.init(job: job, machine: machine, status: status, stage: next, next: next, code: nil))
            }
            return try await BatchedSteps.send(steps, pool).map { answer in
                guard case .finished? = answer else { return false }
                return true
            }
        }
    }

    @Test("corrections come with the segments that they are of")
    func corrected() async throws {
        let scene = try await Scene.make()
        let jobs = try await scene.jobs(of: [0, 2])
        try await scene.database.change(
            """
            insert into segment_corrections (tenant_id, user_id, entry_id, sealed, version, segments_version, key_id)
            select tenant_id, user_id, id, '\\x0907', 3, 1, key_id from entries where id = $1
            """, .uuid(jobs[1].subject))

        let begun = try await scene.begin(jobs)

        #expect(begun[0]?.corrections == nil)
        #expect(begun[1]?.corrections == StoredCorrections(sealed: SealedColumn(bytes: [9, 7], version: 3), segmentsVersion: 1))
    }

    @Test("each job's step is on its own entry, whose account sees it with a change number of its own (C2)")
    func owners() async throws {
        let scene = try await Scene.make()
        let jobs = try await scene.jobs(of: [0, 1, 0, 2, 0])
        func numbers(_ number: Int) async throws -> [Int64] {
            try await scene.database.superuser.run([
                Statement(
                    "select change_number from entries where tenant_id = $1 and user_id = $2 order by 1",
                    scene.accounts[number].person.owner.parameters)
            ])[0].map { try $0.int(0) }
        }
        func latest(_ number: Int) async throws -> Int64 {
            try await scene.database.int(
                "select change_number from user_sync where tenant_id = $1 and user_id = $2",
                .uuid(scene.accounts[number].person.owner.tenant.uuid), .uuid(scene.accounts[number].person.owner.user.uuid))
        }
        let before = [try await latest(0), try await latest(1), try await latest(2)]

        let begun = try await scene.begin(jobs)
        #expect(begun.map { $0?.entry.facts.id.uuid } == jobs.map(\.subject))
        #expect(try await scene.finish(jobs) == [true, true, true, true, true])

        for (number, count) in [(0, Int64(3)), (1, 1), (2, 1)] {
            let last = before[number] + 2 * count
            #expect(try await latest(number) == last)
            #expect(try await numbers(number) == Array((last - count + 1)...last))
        }
        for (place, job) in jobs.enumerated() {
            let fixture = try scene.account(of: job)
            let entry = try await fixture.entries.entry(EntryID(job.subject), of: fixture.person.member)
            #expect(entry?.machine == SealedColumn(bytes: [UInt8(place), 1], version: 2))
            #expect(entry?.facts.status == .transcribed)
        }
        #expect(try await scene.database.int("select count(*) from jobs where state <> 'done'") == 0)
    }

    @Test("the next job of each is made with its result")
    func successors() async throws {
        let scene = try await Scene.make()
        let jobs = try await scene.jobs(of: [0, 2])
        let translate = JobKind(rawValue: "translate")

        #expect(try await scene.finish(jobs, next: translate) == [true, true])

        for job in jobs {
            #expect(try await scene.account(of: job).living(translate, job.subject) == 1)
            let shown = try await scene.database.text(
                "select concat_ws(' ', status, stage, stage_attempt) from entries where id = $1", .uuid(job.subject))
            #expect(shown == "cleaning translate 0")
        }
    }

    /// What stands in the way of a job.
    enum Obstacle: CaseIterable, Sendable {
        case leaseLost, released, accountClosed, entryDeleted, otherKey, writtenMeanwhile, longText, longSegments, longCorrections

        /// `$1` is the job's id.
        var change: String {
            let entry = "(id) = (select subject from jobs where id = $1)"
            let owner = "(tenant_id, user_id) = (select tenant_id, user_id from jobs where id = $1)"
            return switch self {
            case .leaseLost: "update jobs set attempt = attempt + 1 where id = $1"
            case .released: "update jobs set state = 'ready', lease_until = null, leased_by = null where id = $1"
            case .accountClosed: "update user_sync set closed_at = now() where \(owner)"
            case .entryDeleted: "update entries set deleted_at = now(), personal = null, machine = null where \(entry)"
            case .otherKey: "update user_sync set key_id = gen_random_uuid() where \(owner)"
            case .writtenMeanwhile: "update entries set machine_version = 7 where \(entry)"
            case .longText: "update entries set machine = repeat('x', 70000)::bytea where \(entry)"
            case .longSegments:
                "update entry_segments set sealed = repeat('x', 70000)::bytea where (entry_id) = (select subject from jobs where id = $1)"
            case .longCorrections:
                """
                insert into segment_corrections (tenant_id, user_id, entry_id, sealed, version, segments_version, key_id)
                select tenant_id, user_id, id, repeat('x', 70000)::bytea, 1, 1, key_id from entries where \(entry)
                """
            }
        }

        /// Why the job does not begin by itself either; nil when it does.
        var beginning: WorkError? {
            switch self {
            case .leaseLost, .released: .leaseLost
            case .accountClosed, .entryDeleted: .ownerGone
            case .otherKey, .writtenMeanwhile, .longText, .longSegments, .longCorrections: nil
            }
        }

        /// The same for its end. That of a deleted entry, or of one with another text, ends without its result.
        var ending: WorkError? {
            switch self {
            case .leaseLost, .released: .leaseLost
            case .accountClosed, .otherKey: .ownerGone
            case .entryDeleted, .writtenMeanwhile, .longText, .longSegments, .longCorrections: nil
            }
        }

        var stopsBegin: Bool { self != .otherKey && self != .writtenMeanwhile }
        var stopsFinish: Bool { ![.longText, .longSegments, .longCorrections].contains(self) }
    }

    @Test(
        "a job that something stands in the way of is left out and nothing of it is changed; the others take their step (A3)",
        arguments: Obstacle.allCases)
    func obstacles(obstacle: Obstacle) async throws {
        let scene = try await Scene.make()
        let jobs = try await scene.jobs(of: [0, 1, 2])
        try await scene.database.change(obstacle.change, .uuid(jobs[1].id.uuid))
        let before = try await scene.accounts[1].dump()

        let begun = try await scene.begin(jobs).map { $0 != nil }
        let afterBegin = try await scene.accounts[1].dump()
        let finished = try await scene.finish(jobs)

        #expect(begun == [true, !obstacle.stopsBegin, true])
        #expect((afterBegin == before) == obstacle.stopsBegin)
        #expect(finished == [true, !obstacle.stopsFinish, true])
        #expect((try await scene.accounts[1].dump() == afterBegin) == obstacle.stopsFinish)
    }

    @Test("a job that was left out takes its step by itself, or is refused with the reason", arguments: Obstacle.allCases)
    func alone(obstacle: Obstacle) async throws {
        let scene = try await Scene.make()
        let fixture = scene.accounts[0]
        let jobs = try await scene.jobs(of: [0, 0])
        for job in jobs { try await scene.database.change(obstacle.change, .uuid(job.id.uuid)) }
        let before = try await fixture.dump()

        let begun = await refusal { () throws(WorkError) in _ = try await fixture.transcriptions.beginEntry(jobs[0]) }
        let ended = await refusal { () throws(WorkError) in
            _ = try await fixture.transcriptions.finishMachine(jobs[1], machine: fixture.words(2))
        }

        #expect(begun == obstacle.beginning && ended == obstacle.ending)
        #expect((try await fixture.dump() == before) == (begun != nil && ended != nil))
        #expect(try await fixture.state(jobs[1])?.hasPrefix("done") == (ended == nil))
        let written = try await scene.database.int("select count(*) from entries where machine_version = 2 and machine = '\\x06'")
        #expect(written == (ended != nil || [.entryDeleted, .writtenMeanwhile].contains(obstacle) ? 0 : 1))
    }

    @Test(
        "a job whose rows another transaction holds is not waited for; by itself it waits and ends",
        arguments: [
            "user_sync where (tenant_id, user_id) = (select tenant_id, user_id from jobs where id = $1)", "jobs where id = $1",
            "entries where (id) = (select subject from jobs where id = $1)",
        ])
    func locked(rows: String) async throws {
        let scene = try await Scene.make()
        let jobs = try await scene.jobs(of: [0, 1, 2])
        let holder = try await scene.database.holding(Statement("select from \(rows) for update", [.uuid(jobs[1].id.uuid)]))
        defer { holder.close() }
        let before = try await scene.accounts[1].dump()

        #expect(try await scene.begin(jobs).map { $0 != nil } == [true, false, true])
        #expect(try await scene.finish(jobs) == [true, false, true])

        #expect(try await scene.accounts[1].dump() == before)
        let fixture = scene.accounts[1]
        async let ended = fixture.transcriptions.finishMachine(jobs[1], machine: fixture.words(2))
        try await scene.database.untilBlocked(by: holder)
        _ = try await holder.run([Statement("rollback")])

        #expect(try await ended == nil)
        #expect(try await fixture.state(jobs[1])?.hasPrefix("done") == true)
    }

    @Test("a job that is sent twice takes its step once")
    func twice() async throws {
        let scene = try await Scene.make()
        let jobs = try await scene.jobs(of: [0, 1])

        #expect(try await scene.finish([jobs[0], jobs[0], jobs[1]]).count { $0 } == 2)
        #expect(try await scene.finish([jobs[0], jobs[1]]) == [false, false])
    }

    @Test("60 jobs of three accounts that begin and end at once, while their leases are renewed, all do; each ends once")
    func atOnce() async throws {
        let scene = try await Scene.make()
        let jobs = try await scene.jobs(of: (0..<60).map { $0 % 3 })
        let store = scene.accounts[0].transcriptions

        let ends = try await parallel(121) { number in
            await refusal { () throws(WorkError) in
                guard number < 120 else {
                    for _ in 0..<20 { _ = try await scene.accounts[0].queue.renew(jobs, leaseSeconds: 60) }
                    return
                }
                let job = jobs[number / 2]
                _ = try await store.beginEntry(job)
                _ = try await store.finishMachine(job, machine: scene.accounts[number / 2 % 3].words(2))
            }
        }

        #expect(ends.count { $0 == nil } == 61 && ends.count { $0 == .leaseLost } == 60)
        #expect(try await scene.database.int("select count(*) from entries where status = 'transcribed' and machine_version = 2") == 60)
        let distinct = try await scene.database.int("select count(distinct (user_id, change_number)) from entries")
        #expect(distinct == 60)
    }
}
