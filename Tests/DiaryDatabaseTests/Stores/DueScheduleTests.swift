import Foundation
import PostgresClient
import Testing
import WireFormats

@testable import DiaryCore
@testable import DiaryDatabase

@Suite("Schedules that are due (decision D22)", .serialized, .timeLimit(.minutes(2)))
struct DueScheduleTests {
    @Test("of eight runners at once each period gets one export with one job, and its schedule the next time")
    func once() async throws {
        let scene = try await Scene.make()
        for _ in 0..<5 {
            let person = try await scene.person()
            for _ in 0..<8 { try await scene.schedule(person) }
        }

        let reports = try await parallel(8) { _ in try await scene.runner.run() }

        #expect(reports.reduce(0) { $0 + $1.made } == 40 && reports.allSatisfy { $0.failed == 0 })
        #expect(try await scene.database.int("select count(*) from exports where period is not null and mail_asked") == 40)
        #expect(try await scene.database.int("select count(distinct (schedule_id, period)) from exports") == 40)
        #expect(
            try await scene.database.int("select count(*) from jobs j join exports x on x.id = j.subject where j.kind = 'export'") == 40)
        #expect(
            try await scene.database.int("select count(*) from export_schedules where next_run_at > now() and last_run_at is not null")
                == 40)
        #expect(try await scene.runner.run() == RunDueSchedules.Report())
    }

    @Test("a runner that still has an old list makes nothing again, and one that cannot write leaves the schedule due")
    func stale() async throws {
        let scene = try await Scene.make()
        let id = try await scene.schedule(try await scene.person())
        let due = try #require(try await scene.store.due(of: nil, limit: 9).first)
        let plan = SchedulePlan(nextRunAt: .distantFuture, days: CalendarDay.all, coveredTo: nil)
        let run = DueRun(export: ExportID(UUID()), job: NewJob(.export), maxDownloads: 5, plan: plan)
        // The job's id is taken, so nothing of the transaction is written.
        let other = try await scene.person()
        try await scene.database.change(
            "insert into jobs (id, tenant_id, user_id, kind, subject) values ($3, $1, $2, 'export', $3)", other.owner.parameters[0],
            other.owner.parameters[1], .uuid(run.job.id.uuid))

        #expect(await refusal { () throws(WorkError) in try await scene.store.claim(due, run) } != nil)
        #expect(try await scene.count("exports where schedule_id = $1", id) == 0)
        #expect(try await scene.runner.run().made == 1)
        let fresh = DueRun(export: ExportID(UUID()), job: NewJob(.export), maxDownloads: 5, plan: plan)
        #expect(try await scene.store.claim(due, fresh) == .taken)
        // The same period once more, as after a change that set it back.
        try await scene.database.change("update export_schedules set next_run_at = $2 where id = $1", .uuid(id.uuid), .timestamp(due.dueAt))
        #expect(try await scene.store.claim(due, fresh) == .taken)
        #expect(try await scene.count("exports where schedule_id = $1", id) == 1)
    }

    @Test("missed periods are caught up by one export")
    func missed() async throws {
        let scene = try await Scene.make()
        let person = try await scene.person()
        let id = try await scene.schedule(person, covers: "period", ago: "10 days")

        #expect(try await scene.runner.run().made == 1)

        #expect(try await scene.count("exports where schedule_id = $1 and to_day - from_day between 9 and 11", id) == 1)
        #expect(
            try await scene.count("export_schedules where id = $1 and next_run_at between now() and now() + interval '25 hours'", id) == 1)
        let covered = "export_schedules s join exports x on x.schedule_id = s.id and x.to_day = s.covered_to where s.id = $1"
        #expect(try await scene.count(covered, id) == 1)
    }

    @Test("an account that is closed or disabled and an app that is suspended run nothing until they are open again")
    func closed() async throws {
        let scene = try await Scene.make()
        let person = try await scene.person()
        try await scene.schedule(person)
        let due = try #require(try await scene.store.due(of: person.owner.tenant, limit: 9).first)
        let plan = SchedulePlan(nextRunAt: nil, days: CalendarDay.all, coveredTo: nil)
        for (close, open) in [
            ("users set disabled_at = now()", "users set disabled_at = null"),
            ("users set deleted_at = now()", "users set deleted_at = null"),
            ("tenants set suspended_at = now()", "tenants set suspended_at = null"),
        ] {
            try await scene.database.change("update \(close)")
            #expect(try await scene.runner.run() == RunDueSchedules.Report())
            let run = DueRun(export: ExportID(UUID()), job: NewJob(.export), maxDownloads: 5, plan: plan)
            #expect(try await scene.store.claim(due, run) == .taken)
            try await scene.database.change("update \(open)")
        }
        try await scene.database.change("update user_sync set closed_at = now()")
        #expect(try await scene.runner.run() == RunDueSchedules.Report())
        try await scene.database.change("update user_sync set closed_at = null")
        #expect(try await scene.runner.run(of: TenantID(UUID())).due == 0)
        #expect(try await scene.runner.run(of: person.owner.tenant).made == 1)
    }

    @Test("what is due in a suspended app is not read while it is suspended; when it is resumed one export stands for all that were missed")
    func suspended() async throws {
        let scene = try await Scene.make()
        let (away, open) = (try await scene.person(), try await scene.person())
        let missed = try await scene.schedule(away, covers: "period", ago: "10 days")
        try await scene.database.change(
            """
            insert into export_schedules (tenant_id, user_id, id, rule, starts_on, hour, minute, time_zone, covers, include_audio, formats, layer,
                mail, next_run_at)
            select $1, $2, gen_random_uuid(), 'FREQ=DAILY', '2020-01-01', 6, 0, 'Europe/Berlin', 'all', true, '{txt}', 'shown', true,
                now() - interval '1 day' from generate_series(1, 3000)
            """, away.owner.parameters[0], away.owner.parameters[1])
        try await scene.schedule(open)
        let app = away.owner.parameters[0]
        try await scene.database.change("update tenants set suspended_at = now() where id = $1", app)
        try await scene.database.change("analyze")

        let rows = try await scene.database.pool(.worker).run([
            Statement("set local enable_seqscan = off"), Statement("select count(*) from due_export_schedules(null, 100)"),
            Statement("select coalesce(idx_tup_fetch, 0) + seq_tup_read from pg_stat_xact_user_tables where relname = 'export_schedules'"),
        ])

        #expect(try rows.first(1)?.int(0) == 1)
        #expect(try #require(try rows.first(2)?.int(0)) < 20)
        #expect(try await scene.runner.run().made == 1)
        try await scene.database.change("update tenants set suspended_at = null where id = $1", app)
        try await scene.database.change("delete from export_schedules where covers = 'all'")
        #expect(try await scene.runner.run().made == 1)
        #expect(try await scene.count("exports where schedule_id = $1 and to_day - from_day between 9 and 11", missed) == 1)
        #expect(try await scene.runner.run() == RunDueSchedules.Report())
    }

    @Test("one that cannot be run is put off and paused at last, and holds up no other")
    func failing() async throws {
        let scene = try await Scene.make()
        let person = try await scene.person()
        let broken = try await scene.schedule(person, zone: "Mars/Base", ago: "1 hour")
        let other = try await scene.schedule(person)

        let report = try await scene.runner.run()

        #expect(report.failed == 1 && report.made == 1)
        #expect(try await scene.count("exports where schedule_id = $1", other) == 1)
        let noted = "export_schedules where id = $1 and failures = 1 and error_code = 'time_zone_unknown' and retry_at > now()"
        #expect(try await scene.count(noted, broken) == 1)
        #expect(try await scene.runner.run() == RunDueSchedules.Report())
        for _ in 1..<RunDueSchedules.mostFailures {
            try await scene.database.change("update export_schedules set retry_at = null where id = $1", .uuid(broken.uuid))
            #expect(try await scene.runner.run().failed == 1)
        }
        let paused = "export_schedules where id = $1 and pause_reason = 'failures' and next_run_at is null and error_code is not null"
        #expect(try await scene.count(paused, broken) == 1)
        #expect(try await scene.pausedEvents(of: person) == 1)
        #expect(try await scene.pauseMails(broken) == 1)
        #expect(try await scene.database.int("select count(*) from mails") == 1)
    }

    @Test("one whose work does not end in time is put off and holds up no other; three in a row end the round")
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

        let report = try await scene.runner.run()

        #expect(report.failed == 1 && report.made == 5)
        let noted = "export_schedules where id = $1 and failures = 1 and error_code = 'not_made' and retry_at > now()"
        #expect(try await scene.count(noted, slow) == 1)

        try await scene.database.change("drop trigger exports_time_out on exports")
        try await scene.database.change(
            "create trigger exports_time_out before insert on exports for each row execute function time_out()")
        for _ in 0..<5 { try await scene.schedule(person) }
        var outcomes: [RunDueSchedules.Outcome] = []
        let refused = await refusal { () throws(WorkError) in try await scene.runner.run(each: { outcomes.append($1) }) }
        #expect(refused?.isOutage == true)
        #expect(outcomes == Array(repeating: .failed, count: RunDueSchedules.mostUnanswered))
        let putOff = "select count(*) from export_schedules where retry_at > now()"
        #expect(try await scene.database.int(putOff) == Int64(1 + RunDueSchedules.mostUnanswered))

        try await scene.database.change("drop trigger exports_time_out on exports")
        #expect(try await scene.runner.run().made == 5 - RunDueSchedules.mostUnanswered)
    }

    @Test("a schedule whose last five exports failed is paused; one that became ready in between counts them anew")
    func failedExports() async throws {
        let scene = try await Scene.make()
        let person = try await scene.person()
        let id = try await scene.schedule(person)
        for status in ["failed", "failed", "ready", "failed", "failed", "failed", "failed", "failed"] {
            #expect(try await scene.runner.run().made == 1)
            try await scene.again(id, exports: status)
        }

        let report = try await scene.runner.run()

        #expect(report.paused == 1 && report.made == 0)
        #expect(try await scene.pausedEvents(of: person) == 1)
        #expect(try await scene.pauseMails(id) == 1)
        let paused =
            "export_schedules where id = $1 and pause_reason = 'failures' and error_code = 'exports_failed' and next_run_at is null"
        #expect(try await scene.count(paused, id) == 1)
        #expect(try await scene.count("exports where schedule_id = $1", id) == 8)
    }

    @Test("a pause and its mail are written together or not at all, and once; without a proved address there is no mail")
    func pauseNotice() async throws {
        let scene = try await Scene.make()
        let told = try await scene.schedule(try await scene.person())
        let untold = try await scene.schedule(try await scene.person(verified: false))
        for _ in 0..<PostgresDueScheduleStore.mostFailed {
            #expect(try await scene.runner.run().made == 2)
            for id in [told, untold] { try await scene.again(id, exports: "failed") }
        }
        // The runner ends before the mail's job is written.
        try await scene.database.change(
            """
            create function die() returns trigger language plpgsql as $$
            begin raise exception 'canceling statement due to statement timeout' using errcode = '57014'; end $$
            """)
        try await scene.database.change(
            "create trigger mails_die before insert on jobs for each row when (new.kind = 'mail') execute function die()")

        let report = try await scene.runner.run()

        #expect(report.paused == 1 && report.failed == 1)
        #expect(try await scene.count("export_schedules where id = $1 and pause_reason = 'failures'", untold) == 1)
        #expect(try await scene.count("export_schedules where id = $1 and pause_reason is null and next_run_at is not null", told) == 1)
        #expect(try await scene.database.int("select count(*) from mails") == 0)

        try await scene.database.change("drop trigger mails_die on jobs")
        try await scene.database.change("update export_schedules set retry_at = null")
        let reports = try await parallel(4) { _ in try await scene.runner.run() }
        #expect(reports.reduce(0) { $0 + $1.paused } == 1)
        #expect(try await scene.pauseMails(told) == 1)
        #expect(try await scene.database.int("select count(*) from mails") == 1)
    }

    @Test("what changed is counted from the last export that became ready, and exports beyond those to keep end when a newer one is ready")
    func changesAndKeeping() async throws {
        let scene = try await Scene.make()
        let id = try await scene.schedule(try await scene.person(), covers: "changes", keep: 2)
        for (number, status) in [(10, "ready"), (20, "failed"), (30, "ready"), (40, "ready")] {
            #expect(try await scene.runner.run().made == 1)
            try await scene.database.change(
                "update exports set changes_upto = $2, mail_status = 'sent' where schedule_id = $1 and status = 'queued'", .uuid(id.uuid),
                .int(Int64(number)))
            try await scene.again(id, exports: status)
        }

        #expect(
            try await scene.database.superuser.run([
                Statement(
                    "select coalesce(changed_after, 0) from exports where schedule_id = $1 order by created_at", [.uuid(id.uuid)])
            ])[0].map { row throws(DatabaseError) in try row.int(0) } == [0, 10, 10, 30])
        #expect(try await scene.count("exports where schedule_id = $1 and status = 'ready' and revoked_at is null", id) == 2)
        #expect(try await scene.count("exports where schedule_id = $1 and revoked_at is not null and changes_upto = 10", id) == 1)
    }

    @Test("after a change from periods to changes the first export has all days")
    func changesAfterPeriods() async throws {
        let scene = try await Scene.make()
        let id = try await scene.schedule(try await scene.person(), covers: "period")
        #expect(try await scene.runner.run().made == 1)
        try await scene.database.change("update exports set changes_upto = 100 where schedule_id = $1", .uuid(id.uuid))
        try await scene.again(id, exports: "ready")
        try await scene.database.change("update export_schedules set covers = 'changes' where id = $1", .uuid(id.uuid))

        #expect(try await scene.runner.run().made == 1)
        #expect(try await scene.count("exports where schedule_id = $1 and to_day = '9999-12-31' and changed_after is null", id) == 1)
        try await scene.database.change(
            "update exports set changes_upto = 110 where schedule_id = $1 and status = 'queued'", .uuid(id.uuid))
        try await scene.again(id, exports: "ready")

        #expect(try await scene.runner.run().made == 1)
        #expect(try await scene.count("exports where schedule_id = $1 and changed_after = 110", id) == 1)
    }

    @Test("days that failed after later ones were asked for are in the next run, once")
    func failedLate() async throws {
        let scene = try await Scene.make()
        let id = try await scene.schedule(try await scene.person(), covers: "period")
        // As if three days had been claimed while the queue was paused: then the first fails, and the second becomes ready.
        for (back, status) in [(4, "failed"), (3, "ready"), (2, "queued")] {
            try await scene.database.change(
                """
                insert into exports (tenant_id, user_id, id, from_day, to_day, time_zone, include_audio, max_downloads, request_hash, formats, layer,
                    schedule_id, period, status)
                select s.tenant_id, s.user_id, gen_random_uuid(), d.day, d.day, 'UTC', true, 5, '', '{txt}', 'shown', s.id, d.day + interval '1 day', $3
                from export_schedules s, (select (now() at time zone 'UTC')::date - $2::int as day) d where s.id = $1
                """, .uuid(id.uuid), .int(back), .text(status))
        }
        try await scene.database.change(
            """
            update export_schedules s set time_zone = 'UTC', hour = 0, covered_to = d.day - 2, next_run_at = d.day::timestamp at time zone 'UTC'
            from (select (now() at time zone 'UTC')::date as day) d where s.id = $1
            """, .uuid(id.uuid))

        #expect(try await scene.runner.run().made == 1)

        let made = "export_schedules s join exports x on x.schedule_id = s.id and x.to_day = s.covered_to and x.from_day = x.to_day - 3"
        #expect(try await scene.count("\(made) where s.id = $1", id) == 1)
        try await scene.again(id, exports: "ready")
        let due = try #require(try await scene.store.due(of: nil, limit: 9).first)
        let covered = try await scene.database.text("select covered_to::text from export_schedules where id = $1", .uuid(id.uuid))
        #expect(due.coveredTo?.description == covered)
    }

    @Test("a rule that has ended is not due again, and an account without an address gets an export without a mail")
    func ended() async throws {
        let scene = try await Scene.make()
        let id = try await scene.schedule(try await scene.person(verified: false), rule: "FREQ=DAILY;UNTIL=20200301")

        #expect(try await scene.runner.run().made == 1)

        #expect(try await scene.count("export_schedules where id = $1 and next_run_at is null and pause_reason is null", id) == 1)
        #expect(try await scene.count("exports where schedule_id = $1 and not mail_asked", id) == 1)
    }
}
