import Foundation
import PostgresClient
import Testing

@testable import DiaryCore
@testable import DiaryDatabase

/// A schedule, and exports that it has made.
struct ScheduledExports {
    let fixture: WorkerFixture
    let due: PostgresDueScheduleStore
    let schedule = ExportScheduleID(UUIDv7.make())

    static func make(covers: String) async throws -> ScheduledExports {
        let fixture = try await WorkerFixture.make()
        let scene = ScheduledExports(fixture: fixture, due: PostgresDueScheduleStore(pool: try fixture.database.pool(.worker)))
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
        late: Int64? = nil, change: String = "status = 'ready'"
    ) async throws -> ExportID {
        let id = ExportID(UUIDv7.make())
        let owner = fixture.person.owner.parameters
        try await fixture.database.change(
            """
            insert into exports (tenant_id, user_id, id, from_day, to_day, time_zone, include_audio, max_downloads, request_hash, formats,
                layer, schedule_id, period, changed_after, changes_upto, ready_at, expires_at, late_after, late_since, mail_asked)
            values ($1, $2, $3, $4::text::date, $5::text::date, 'UTC', true, 5, '', '{txt}', 'shown', $6,
                '2026-01-01'::timestamptz + $8 * interval '1 hour', $7, $8, clock_timestamp(), clock_timestamp() + interval '1 day', $9,
                case when $9 is not null then clock_timestamp() end, false)
            """, owner[0], owner[1], .uuid(id.uuid), .text(from), .text(to), .uuid(schedule.uuid), .int(after), .int(upto),
            .int(late))
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

    /// Makes the next export.
    func run() async throws {
        try await fixture.database.change(
            """
            update export_schedules s set next_run_at = date_trunc('minute', clock_timestamp())
                - (select 1 + count(*) from exports x where x.schedule_id = s.id) * interval '1 day' where s.id = $1
            """, .uuid(schedule.uuid))
        #expect(try await RunDueSchedules(store: due, jobSignals: nil, limits: Limits()).run().made == 1)
    }

    /// Makes the next export, which becomes ready.
    /// - Returns: after which change it begins, of a period late entries; 0 for one that has everything.
    func next(upto: Int64) async throws -> Int64 {
        try await run()
        let after = try await fixture.database.int(
            "select coalesce(changed_after, late_after, 0) from exports where schedule_id = $1 and status = 'queued'", .uuid(schedule.uuid))
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
