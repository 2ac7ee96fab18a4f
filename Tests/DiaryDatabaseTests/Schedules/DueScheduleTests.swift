import Foundation
import PostgresClient
import Testing
import WireFormats

@testable import DiaryCore
@testable import DiaryDatabase

@Suite("Schedules that are due (decision D22)", .serialized, .timeLimit(.minutes(2)))
struct DueScheduleTests {
    @Test("of eight runners at once each that is due gets one export with one job, and its schedule the next time")
    func once() async throws {
        let scene = try await Scene.make()
        for _ in 0..<5 {
            let person = try await scene.person()
            for _ in 0..<8 { try await scene.schedule(person) }
        }

        let reports = try await parallel(8) { _ in try await scene.runner.run() }

        #expect(reports.reduce(0) { $0 + ($1[.made] ?? 0) } == 40 && reports.allSatisfy { $0[.failed] == nil })
        #expect(try await scene.database.int("select count(*) from exports where period is not null and mail_asked") == 40)
        #expect(try await scene.database.int("select count(distinct (schedule_id, period)) from exports") == 40)
        #expect(
            try await scene.database.int("select count(*) from jobs j join exports x on x.id = j.subject where j.kind = 'export'") == 40)
        #expect(try await scene.database.int("select count(*) from export_schedules where next_at > now()") == 40)
        #expect(try await scene.runner.run().isEmpty)
    }

    @Test("a runner that still has an old list makes nothing again, and one that cannot write leaves the schedule due")
    func stale() async throws {
        let scene = try await Scene.make()
        let id = try await scene.schedule(try await scene.person())
        let due = try await scene.due()
        // The job's id is taken, so nothing of the transaction is written.
        let (other, job) = (try await scene.person(), JobID(UUID()))
        try await scene.database.change(
            "insert into jobs (id, tenant_id, user_id, kind, subject) values ($3, $1, $2, 'export', $3)", other.owner.parameters[0],
            other.owner.parameters[1], .uuid(job.uuid))

        #expect(await refusal { () throws(WorkError) in try await scene.claim(due, job: job) } != nil)
        #expect(try await scene.count("exports where schedule_id = $1", id) == 0)
        #expect(try await scene.runner.run() == [.made: 1])
        #expect(try await scene.claim(due) == .taken)
        // The same run once more, as after a change that set it back.
        try await scene.database.change("update export_schedules set next_at = $2 where id = $1", .uuid(id.uuid), .timestamp(due.dueAt))
        #expect(try await scene.claim(due) != .made)
        #expect(try await scene.count("exports where schedule_id = $1", id) == 1)
    }

    @Test("what was missed is caught up by one export")
    func missed() async throws {
        let scene = try await Scene.make()
        let id = try await scene.schedule(try await scene.person(), ago: "10 days")

        #expect(try await scene.runner.run() == [.made: 1])

        #expect(try await scene.count("exports where schedule_id = $1", id) == 1)
        #expect(try await scene.count("export_schedules where id = $1 and next_at between now() and now() + interval '25 hours'", id) == 1)
        #expect(try await scene.runner.run().isEmpty)
    }

    @Test("an account that is closed or disabled and an app that is suspended run nothing until they are open again")
    func closed() async throws {
        let scene = try await Scene.make()
        let person = try await scene.person()
        try await scene.schedule(person)
        let due = try await scene.due()
        for (close, open) in [
            ("users set disabled_at = now()", "users set disabled_at = null"),
            ("users set deleted_at = now()", "users set deleted_at = null"),
            ("tenants set suspended_at = now()", "tenants set suspended_at = null"),
        ] {
            try await scene.database.change("update \(close)")
            #expect(try await scene.runner.run().isEmpty)
            #expect(try await scene.claim(due) == .taken)
            try await scene.database.change("update \(open)")
        }
        try await scene.database.change("update user_sync set closed_at = now()")
        #expect(try await scene.runner.run().isEmpty)
        try await scene.database.change("update user_sync set closed_at = null")
        #expect(try await scene.runner.run(of: TenantID(UUID())).isEmpty)
        #expect(try await scene.runner.run(of: person.owner.tenant) == [.made: 1])
    }

    @Test("what is due in a suspended app is not read while it is suspended; when it is resumed one export stands for all that were missed")
    func suspended() async throws {
        let scene = try await Scene.make()
        let (away, open) = (try await scene.person(), try await scene.person())
        let missed = try await scene.schedule(away, ago: "10 days")
        try await scene.schedules(away, "select gen_random_uuid() from generate_series(1, 3000)", ago: "1 day")
        try await scene.schedule(open)
        let app = away.owner.parameters[0]
        try await scene.database.change("update tenants set suspended_at = now() where id = $1", app)
        try await scene.database.change("analyze")

        let rows = try await scene.database.pool(.worker).run([
            Statement("set local enable_seqscan = off"), Statement("select count(*) from due_export_schedules(null, null, null, 100)"),
            Statement("select coalesce(idx_tup_fetch, 0) + seq_tup_read from pg_stat_xact_user_tables where relname = 'export_schedules'"),
        ])

        #expect(try rows.first(1)?.int(0) == 1)
        #expect(try #require(try rows.first(2)?.int(0)) < 20)
        #expect(try await scene.runner.run() == [.made: 1])
        try await scene.database.change("update tenants set suspended_at = null where id = $1", app)
        try await scene.database.change("delete from export_schedules where id <> $1", .uuid(missed.uuid))
        #expect(try await scene.runner.run() == [.made: 1])
        #expect(try await scene.runner.run().isEmpty)
    }

    @Test("those that cannot be run stay due and hold up no other, also where they fill a page")
    func failing() async throws {
        let scene = try await Scene.make()
        let person = try await scene.person()
        let broken = RunDueSchedules.batch + 1
        try await scene.schedules(
            person, "select gen_random_uuid() from generate_series(1, \(broken))", zone: "Mars/Base", ago: "1 hour")
        let other = try await scene.schedule(person)

        #expect(try await scene.runner.run() == [.failed: broken, .made: 1])

        #expect(try await scene.count("exports where schedule_id = $1", other) == 1)
        #expect(try await scene.runner.run() == [.failed: broken])
        try await scene.database.change(
            "delete from export_schedules where id <> (select id from export_schedules where time_zone = 'Mars/Base' limit 1)")
        try await scene.database.change("update export_schedules set time_zone = 'UTC'")
        #expect(try await scene.runner.run() == [.made: 1])
    }

    @Test("one whose work does not end in time holds up no other; three in a row end the round")
    func unanswered() async throws {
        let scene = try await Scene.make()
        let person = try await scene.person()
        let slow = try await scene.schedule(person, ago: "1 hour")
        for _ in 0..<5 { try await scene.schedule(person) }
        // As a statement that took too long ends.
        try await scene.database.change(
            """
            create function time_out() returns trigger language plpgsql as $$
            begin raise exception 'canceling statement due to statement timeout' using errcode = '57014'; end $$
            """)
        try await scene.database.change(
            """
            create trigger exports_time_out before insert on exports for each row when (new.schedule_id = '\(slow.uuid)')
                execute function time_out()
            """)

        #expect(try await scene.runner.run() == [.failed: 1, .made: 5])

        try await scene.database.change("drop trigger exports_time_out on exports")
        try await scene.database.change(
            "create trigger exports_time_out before insert on exports for each row execute function time_out()")
        for _ in 0..<4 { try await scene.schedule(person) }
        var outcomes: [DueRunOutcome] = []
        let refused = await refusal { () throws(WorkError) in try await scene.runner.run(each: { outcomes.append($1) }) }
        #expect(refused?.isOutage == true)
        #expect(outcomes == Array(repeating: .failed, count: RunDueSchedules.mostUnanswered))

        try await scene.database.change("drop trigger exports_time_out on exports")
        #expect(try await scene.runner.run() == [.made: 5])
    }

    @Test("an account without an address gets an export without a mail")
    func noAddress() async throws {
        let scene = try await Scene.make()
        let id = try await scene.schedule(try await scene.person(verified: false))

        #expect(try await scene.runner.run() == [.made: 1])

        #expect(try await scene.count("exports where schedule_id = $1 and not mail_asked", id) == 1)
    }
}
