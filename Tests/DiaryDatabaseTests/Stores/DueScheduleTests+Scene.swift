import Foundation
import PostgresClient
import Testing
import WireFormats

@testable import DiaryCore
@testable import DiaryDatabase

extension DueScheduleTests {
    /// A database with schedules and the runner that makes their exports.
    struct Scene {
        let database: MigratedDatabase
        let store: PostgresDueScheduleStore

        static func make() async throws -> Scene {
            let database = try await MigratedDatabase.make()
            return Scene(database: database, store: PostgresDueScheduleStore(pool: try database.pool(.worker)))
        }

        var runner: RunDueSchedules { RunDueSchedules(store: store, jobSignals: nil, limits: Limits()) }

        /// Due a while ago.
        @discardableResult
        func schedule(
            _ person: Person, rule: String = "FREQ=DAILY", covers: String = "all", zone: String = "Europe/Berlin", keep: Int? = nil,
            ago: String = "1 minute"
        ) async throws -> ExportScheduleID {
            let id = ExportScheduleID(UUIDv7.make())
            try await database.change(
                """
                insert into export_schedules (tenant_id, user_id, id, rule, starts_on, hour, minute, time_zone, covers, include_audio, formats, layer,
                    mail, keep_last, next_run_at)
                values ($1, $2, $3, $4, '2020-01-01', 6, 0, $5, $6, true, '{txt}', 'shown', true, $7,
                    date_trunc('minute', clock_timestamp()) - $8::text::interval)
                """, person.owner.parameters[0], person.owner.parameters[1], .uuid(id.uuid), .text(rule), .text(zone), .text(covers),
                .int4(keep.map { Int32($0) }), .text(ago))
            return id
        }

        func person(tenant: TenantID? = nil, verified: Bool = true) async throws -> Person {
            try await Person.make(in: database, tenant: tenant, verified: verified)
        }

        /// Makes a schedule due again, and says what became of the exports so far.
        func again(_ id: ExportScheduleID, exports status: String) async throws {
            try await database.change(
                """
                update export_schedules set next_run_at = next_run_at - interval '1 year'
                    - (select count(*) from exports where schedule_id = $1) * interval '1 hour' where id = $1
                """, .uuid(id.uuid))
            try await database.change(
                "update exports set status = $2 where schedule_id = $1 and status = 'queued'", .uuid(id.uuid), .text(status))
        }

        func pausedEvents(of person: Person) async throws -> Int64 {
            try await database.int(
                "select count(*) from audit_events where user_id = $1 and kind = 'schedule_paused' and actor = 'service'",
                .uuid(person.owner.user.uuid))
        }

        /// Mails that tell the owner of a pause, with their jobs.
        func pauseMails(_ id: ExportScheduleID) async throws -> Int64 {
            try await count(
                """
                mails m join jobs j on j.subject = m.id and j.kind = 'mail' and j.state = 'ready'
                where m.subject = $1 and m.kind = 'schedule_paused' and m.status = 'waiting' and m.address_sealed = 'sealed' and m.payload is null
                """, id)
        }

        func count(_ sql: String, _ id: ExportScheduleID) async throws -> Int64 {
            try await database.int("select count(*) from \(sql)", .uuid(id.uuid))
        }
    }
}
