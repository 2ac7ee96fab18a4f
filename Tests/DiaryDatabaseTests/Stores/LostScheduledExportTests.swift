import Foundation
import PostgresClient
import Testing

@testable import DiaryCore
@testable import DiaryDatabase

@Suite("Exports of schedules that ended before anyone had them", .timeLimit(.minutes(2)))
struct LostScheduledExportTests {
    private struct Scene {
        let fixture: WorkerFixture
        let due: PostgresDueScheduleStore
        let schedule = ExportScheduleID(UUIDv7.make())

        static func make(covers: String) async throws -> Scene {
            let fixture = try await WorkerFixture.make()
            let scene = Scene(fixture: fixture, due: PostgresDueScheduleStore(pool: try fixture.database.pool(.worker)))
            let owner = fixture.person.owner.parameters
            try await fixture.database.change(
                """
                insert into export_schedules (tenant_id, user_id, id, rule, starts_on, hour, minute, time_zone, covers, include_audio, formats,
                    layer, mail)
                values ($1, $2, $3, 'FREQ=DAILY', '2020-01-01', 6, 0, 'UTC', $4, true, '{txt}', 'shown', false)
                """, owner[0], owner[1], .uuid(scene.schedule.uuid), .text(covers))
            return scene
        }

        /// A finished one, which is there for a day more.
        @discardableResult
        func ready(
            _ from: String = "0001-01-01", _ to: String = "9999-12-31", after: Int64? = nil, upto: Int64,
            change: String = "status = 'ready'"
        ) async throws -> ExportID {
            let id = ExportID(UUIDv7.make())
            let owner = fixture.person.owner.parameters
            try await fixture.database.change(
                """
                insert into exports (tenant_id, user_id, id, from_day, to_day, time_zone, include_audio, max_downloads, request_hash, formats,
                    layer, schedule_id, period, changed_after, changes_upto, ready_at, expires_at)
                values ($1, $2, $3, $4::text::date, $5::text::date, 'UTC', true, 5, '', '{txt}', 'shown', $6,
                    '2026-01-01'::timestamptz + $8 * interval '1 hour', $7, $8, clock_timestamp(), clock_timestamp() + interval '1 day')
                """, owner[0], owner[1], .uuid(id.uuid), .text(from), .text(to), .uuid(schedule.uuid), .int(after), .int(upto))
            // The trigger of `keep_last` is for a change.
            try await fixture.database.change("update exports set \(change) where id = $1", .uuid(id.uuid))
            if to == "9999-12-31" { return id }
            try await fixture.database.change(
                "update export_schedules set covered_to = greatest(covered_to, $2::text::date) where id = $1", .uuid(schedule.uuid),
                .text(to))
            return id
        }

        /// As by the deletion of an entry.
        func lose(_ id: ExportID) async throws {
            try await fixture.database.change("update exports set revoked_at = clock_timestamp() where id = $1", .uuid(id.uuid))
        }

        /// Makes the next export, which becomes ready.
        /// - Returns: after which change it begins; 0 for one that has everything.
        func next(upto: Int64) async throws -> Int64 {
            try await fixture.database.change(
                """
                update export_schedules s set next_run_at = date_trunc('minute', clock_timestamp())
                    - (select 1 + count(*) from exports x where x.schedule_id = s.id) * interval '1 day' where s.id = $1
                """, .uuid(schedule.uuid))
            #expect(try await RunDueSchedules(store: due, jobSignals: nil, limits: Limits()).run().made == 1)
            let after = try await fixture.database.int(
                "select coalesce(changed_after, 0) from exports where schedule_id = $1 and status = 'queued'", .uuid(schedule.uuid))
            try await fixture.database.change(
                """
                update exports set status = 'ready', changes_upto = $2, expires_at = clock_timestamp() + interval '1 day'
                where schedule_id = $1 and status = 'queued'
                """, .uuid(schedule.uuid), .int(upto))
            return after
        }

        func covered() async throws -> CalendarDay? {
            let store = PostgresExportScheduleStore(pool: try fixture.database.pool(.api))
            return try await store.schedule(schedule, of: fixture.person.member)?.coveredTo
        }
    }

    @Test("changes of a lost one are in the next, also when another has continued it, and no others are repeated")
    func changes() async throws {
        let scene = try await Scene.make(covers: "changes")
        try await scene.ready(upto: 10)
        let lost = try await scene.ready(after: 10, upto: 20)
        try await scene.ready(after: 20, upto: 30)
        try await scene.lose(lost)

        #expect(try await scene.next(upto: 40) == 10)
        #expect(try await scene.next(upto: 50) == 40)

        // The one that had them is lost too; 20 to 30 and 40 to 50 are still held.
        try await scene.fixture.database.change("update exports set revoked_at = clock_timestamp() where changes_upto = 40")
        #expect(try await scene.next(upto: 60) == 10)
        #expect(try await scene.next(upto: 70) == 60)
    }

    @Test("after the only one was lost the next has everything")
    func first() async throws {
        let scene = try await Scene.make(covers: "changes")
        try await scene.lose(try await scene.ready(upto: 10))

        #expect(try await scene.next(upto: 20) == 0)
        #expect(try await scene.next(upto: 30) == 20)
    }

    @Test(
        "one that was downloaded, that had run out, or that its owner ended is not repeated",
        arguments: [
            "revoked_at = clock_timestamp(), downloads = 1",
            "expires_at = clock_timestamp() - interval '1 minute', revoked_at = clock_timestamp()", "",
        ])
    func had(change: String) async throws {
        let (changes, periods) = (try await Scene.make(covers: "changes"), try await Scene.make(covers: "period"))
        for (scene, from, to) in [(changes, "0001-01-01", "9999-12-31"), (periods, "2026-03-02", "2026-03-02")] {
            let id = try await scene.ready(from, to, upto: 10)
            if change.isEmpty {
                #expect(try await scene.fixture.exports.revoke(id, by: scene.fixture.person.member))
                #expect(try await scene.fixture.exports.revoke(id, by: scene.fixture.person.member))
            } else {
                try await scene.fixture.database.change("update exports set \(change) where id = $1", .uuid(id.uuid))
            }
        }

        #expect(try await changes.next(upto: 20) == 10)
        #expect(try await periods.covered() == day("2026-03-02"))
    }

    @Test("the days of a lost one are to be covered again, until another has them")
    func periods() async throws {
        let scene = try await Scene.make(covers: "period")
        try await scene.ready("2026-03-01", "2026-03-01", upto: 1)
        let lost = try await scene.ready("2026-03-02", "2026-03-02", upto: 2)
        try await scene.ready("2026-03-03", "2026-03-03", upto: 3)
        #expect(try await scene.covered() == day("2026-03-03"))

        try await scene.lose(lost)
        #expect(try await scene.covered() == day("2026-03-01"))

        try await scene.ready("2026-03-02", "2026-03-04", upto: 4)
        #expect(try await scene.covered() == day("2026-03-04"))
    }

    @Test("what a newer one ended by keep_last is not covered again")
    func kept() async throws {
        let scene = try await Scene.make(covers: "period")
        try await scene.fixture.database.change("update export_schedules set keep_last = 1")
        let older = try await scene.ready("2026-03-01", "2026-03-01", upto: 1)
        try await scene.ready("2026-03-02", "2026-03-02", upto: 2)

        let ended = try await scene.fixture.database.text(
            "select revoked_by from exports where id = $1 and revoked_at is not null", .uuid(older.uuid))
        #expect(ended == "newer")
        #expect(try await scene.covered() == day("2026-03-02"))
    }

    @Test("the row of a lost one stays until its changes are in another, with the one before it")
    func rows() async throws {
        let scene = try await Scene.make(covers: "changes")
        let database = scene.fixture.database
        let old = "status = 'ready', created_at = clock_timestamp() - interval '9 days', expires_at = clock_timestamp() - interval '8 days'"
        try await scene.ready(upto: 10, change: old)
        try await scene.ready(after: 10, upto: 20, change: old + ", revoked_at = clock_timestamp() - interval '9 days'")
        try await scene.ready(after: 20, upto: 30, change: old)
        try await database.change(
            "update tenants set configuration = '{\"exports.retention_days\": 7}' where id = $1", scene.fixture.person.owner.parameters[0])
        let sweep = PostgresSweepStore(pool: try database.pool(.worker))
        func left() async throws -> String? {
            try await database.text("select string_agg(changes_upto::text, ' ' order by changes_upto) from exports")
        }

        _ = try await sweep.sweepBookkeeping(most: 10)
        #expect(try await left() == "10 20 30")

        #expect(try await scene.next(upto: 40) == 10)
        for _ in 0..<2 { _ = try await sweep.sweepBookkeeping(most: 10) }
        #expect(try await left() == "40")
    }
}
