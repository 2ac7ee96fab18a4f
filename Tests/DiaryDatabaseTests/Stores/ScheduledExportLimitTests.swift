import Foundation
import PostgresClient
import Testing
import WireFormats

@testable import DiaryCore
@testable import DiaryDatabase

@Suite("The most exports that schedules make in a day (decision 0053)", .serialized, .timeLimit(.minutes(2)))
struct ScheduledExportLimitTests {
    @Test("the schedules of an account make ten exports within a day; one beyond is put off to its next time, and covers the rest then")
    func mostInADay() async throws {
        let scene = try await DueScheduleTests.Scene.make()
        let (person, other) = (try await scene.person(), try await scene.person())
        let moved = try await scene.schedule(person, covers: "period")
        // Its owner moves it to the next minute, ten times.
        for _ in 1...PostgresDueScheduleStore.mostInADay {
            #expect(try await scene.runner.run().made == 1)
            try await scene.database.change(
                """
                update export_schedules s set next_run_at = date_trunc('minute', clock_timestamp()) + interval '1 minute'
                    - (select 11 - count(*) from exports x where x.schedule_id = s.id) * interval '2 minutes' where s.id = $1
                """, .uuid(moved.uuid))
        }
        try await scene.schedule(other)
        let covered = "select covered_to::text from export_schedules where id = $1"
        let before = try await scene.database.text(covered, .uuid(moved.uuid))

        let report = try await scene.runner.run()

        #expect(report.made == 1 && report.putOff == 1 && report.failed == 0, "the other account's is made")
        #expect(try await scene.count("exports where schedule_id = $1", moved) == 10)
        let putOff = """
            export_schedules where id = $1 and error_code = 'too_many_exports' and next_run_at > clock_timestamp() and failures = 0
                and pause_reason is null
            """
        #expect(try await scene.count(putOff, moved) == 1)
        #expect(try await scene.database.text(covered, .uuid(moved.uuid)) == before)

        // One that is due before those of the same day that others made first is not one too many.
        try await scene.database.change(
            "update exports set period = period + interval '30 hours' where schedule_id = $1", .uuid(moved.uuid))
        try await scene.schedule(person)
        #expect(try await scene.runner.run().made == 1)
        try await scene.database.change(
            "update exports set period = period - interval '30 hours' where schedule_id = $1", .uuid(moved.uuid))

        // A day later, also when those of before came late; a deleted schedule's exports count as well.
        try await scene.database.change("update exports set period = period - interval '23 hours', schedule_id = null")
        try await scene.database.change(
            "update export_schedules set next_run_at = date_trunc('minute', clock_timestamp()) where id = $1", .uuid(moved.uuid))
        #expect(try await scene.runner.run().made == 1)
        let cleared = "export_schedules where id = $1 and error_code is null and covered_to is not null"
        #expect(try await scene.count(cleared, moved) == 1)
    }

    @Test("the last run of a rule that is put off is due again a day later, and ends the schedule then")
    func lastRunPutOff() async throws {
        let scene = try await DueScheduleTests.Scene.make()
        let id = try await scene.schedule(try await scene.person(), rule: "FREQ=DAILY;UNTIL=20200301")
        // Of schedules that are deleted.
        try await scene.database.change(
            """
            insert into exports (tenant_id, user_id, id, from_day, to_day, time_zone, include_audio, max_downloads, request_hash, formats, layer, period,
                status)
            select s.tenant_id, s.user_id, gen_random_uuid(), '2026-03-01', '2026-03-01', 'UTC', true, 5, '', '{txt}', 'shown',
                s.next_run_at - n * interval '1 minute', 'ready'
            from export_schedules s, generate_series(1, $2::int) n where s.id = $1
            """, .uuid(id.uuid), .int4(Int32(PostgresDueScheduleStore.mostInADay)))

        let report = try await scene.runner.run()

        #expect(report.made == 0 && report.putOff == 1)
        let putOff = "export_schedules where id = $1 and error_code = 'too_many_exports' and next_run_at > clock_timestamp()"
        #expect(try await scene.count(putOff, id) == 1)

        try await scene.database.change("update exports set period = period - interval '1 day'")
        try await scene.database.change("update export_schedules set next_run_at = next_run_at - interval '1 day'")
        #expect(try await scene.runner.run().made == 1)
        #expect(try await scene.count("export_schedules where id = $1 and next_run_at is null and error_code is null", id) == 1)
    }
}
