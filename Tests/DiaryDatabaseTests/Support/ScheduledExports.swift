import Foundation
import PostgresClient
import Testing

@testable import DiaryCore
@testable import DiaryDatabase

/// A daily schedule, and exports that it makes.
struct ScheduledExports {
    let fixture: WorkerFixture
    let due: PostgresDueScheduleStore
    let schedules: PostgresExportScheduleStore
    let id = ExportScheduleID(UUIDv7.make())

    static func make(covers: String = "changes") async throws -> ScheduledExports {
        let fixture = try await WorkerFixture.make()
        let scene = ScheduledExports(
            fixture: fixture, due: PostgresDueScheduleStore(pool: try fixture.database.pool(.worker)),
            schedules: PostgresExportScheduleStore(pool: try fixture.database.pool(.api)))
        let owner = fixture.person.owner.parameters
        try await fixture.database.change(
            """
            insert into export_schedules (tenant_id, user_id, id, every, at_minute, time_zone, covers, include_audio, formats, layer, mail)
            values ($1, $2, $3, 'day', 360, 'UTC', $4, true, '{txt}', 'shown', false)
            """, owner[0], owner[1], .uuid(scene.id.uuid), .text(covers))
        return scene
    }

    /// Makes the next export.
    func run() async throws {
        try await fixture.database.change(
            """
            update export_schedules s set next_at = date_trunc('minute', clock_timestamp())
                - (select 1 + count(*) from exports x where x.schedule_id = s.id) * interval '1 day' where s.id = $1
            """, .uuid(id.uuid))
        #expect(try await RunDueSchedules(store: due, jobSignals: nil, limits: Limits()).run() == [.made: 1])
    }

    /// Makes the next export and begins to build it.
    func begin() async throws -> (job: LeasedJob, export: Export) {
        try await run()
        let job = try await fixture.claim(.export)
        return (job, try await fixture.builds.beginExport(job).0)
    }

    /// - Parameters:
    ///   - upto: which change the snapshot has seen; nil: all.
    ///   - days: for how many the app lets schedules keep zips; their links live an hour.
    func finish(_ job: LeasedJob, upto: Int64? = nil, keptDays days: Double? = nil) async throws {
        var number = upto
        if number == nil { number = try await fixture.database.int("select change_number from user_sync") }
        _ = try await fixture.builds.finishExport(
            job, keyID: fixture.person.keyID, size: 1, entryCount: 1, changesUpto: number ?? 0,
            expiresAt: Date(timeIntervalSinceNow: 3_600),
            kept: days.map { KeptZip(until: Date(timeIntervalSinceNow: $0 * 86_400), releasedSeconds: 3_600) },
            mail: fixture.person.mail(.exportReady, subject: job.subject))
    }

    /// What its zip would hold now.
    func entries(of export: Export) async throws -> [EntryID] {
        try await SnapshotReading.of(export.selection, fixture.builds, fixture.person.owner).entries
    }

    func shown() async throws -> ExportSchedule {
        try #require(try await schedules.schedule(id, of: fixture.person.member))
    }
}
