import Foundation
import PostgresClient
import Testing

@testable import DiaryCore
@testable import DiaryDatabase

@Suite("The most exports that schedules make in a day (decision 0053)", .serialized, .timeLimit(.minutes(2)))
struct ScheduledExportLimitTests {
    @Test("the schedules of an account make ten exports within a day; one beyond goes on to its next time, and has the rest then")
    func mostInADay() async throws {
        let scene = try await DueScheduleTests.Scene.make()
        let (person, other) = (try await scene.person(), try await scene.person())
        let moved = try await scene.schedule(person)
        // Its owner moves it to the next minute, ten times.
        for _ in 1...PostgresDueScheduleStore.mostInADay {
            #expect(try await scene.runner.run() == [.made: 1])
            try await scene.database.change(
                """
                update export_schedules s set changes_upto = 7, last_at = clock_timestamp(),
                    next_at = date_trunc('minute', clock_timestamp()) + interval '1 minute'
                        - (select 11 - count(*) from exports x where x.schedule_id = s.id) * interval '2 minutes' where s.id = $1
                """, .uuid(moved.uuid))
        }
        try await scene.schedule(other)

        #expect(try await scene.runner.run() == [.made: 1, .skipped: 1], "the other account's is made")

        #expect(try await scene.count("exports where schedule_id = $1", moved) == 10)
        #expect(try await scene.count("export_schedules where id = $1 and next_at > clock_timestamp() and changes_upto = 7", moved) == 1)

        // One that is due before those of the same day that others made first is not one too many.
        try await scene.database.change(
            "update exports set period = period + interval '30 hours' where schedule_id = $1", .uuid(moved.uuid))
        try await scene.schedule(person)
        #expect(try await scene.runner.run() == [.made: 1])
        try await scene.database.change(
            "update exports set period = period - interval '30 hours' where schedule_id = $1", .uuid(moved.uuid))

        // A day later, also when those of before came late; a deleted schedule's exports count as well.
        try await scene.database.change("update exports set period = period - interval '23 hours', schedule_id = null")
        try await scene.database.change(
            "update export_schedules set next_at = date_trunc('minute', clock_timestamp()) where id = $1", .uuid(moved.uuid))
        #expect(try await scene.runner.run() == [.made: 1])
        #expect(try await scene.count("exports where schedule_id = $1 and changed_after = 7", moved) == 1)
    }
}
