import Foundation
import PostgresClient
import Testing

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

        /// Every day, due a while ago.
        @discardableResult
        func schedule(_ person: Person, zone: String = "Europe/Berlin", ago: String = "1 minute") async throws -> ExportScheduleID {
            let id = ExportScheduleID(UUIDv7.make())
            try await schedules(person, "select $3::uuid", [.uuid(id.uuid)], zone: zone, ago: ago)
            return id
        }

        /// - Parameter ids: a query.
        func schedules(
            _ person: Person, _ ids: String, _ parameters: [Parameter] = [], zone: String = "Europe/Berlin", ago: String
        ) async throws {
            _ = try await database.superuser.run([
                Statement(
                    """
                    insert into export_schedules (tenant_id, user_id, id, every, at_minute, time_zone, covers, include_audio, formats, layer, mail,
                        next_at)
                    select $1, $2, i.id, 'day', 360, '\(zone)', 'changes', true, '{txt}', 'shown', true,
                        date_trunc('minute', clock_timestamp()) - interval '\(ago)' from (\(ids)) i (id)
                    """, person.owner.parameters + parameters)
            ])
        }

        func person(tenant: TenantID? = nil, verified: Bool = true) async throws -> Person {
            try await Person.make(in: database, tenant: tenant, verified: verified)
        }

        func due() async throws -> DueSchedule { try #require(try await store.due(of: nil, after: nil, limit: 9).first) }

        func claim(_ due: DueSchedule, job: JobID? = nil) async throws(WorkError) -> DueRunOutcome {
            var run = ScheduledRun(at: .now, Limits())
            if let job { run.job = NewJob(.export, id: job) }
            return try await store.claim(due, run, nextAt: Date(timeIntervalSince1970: 4_000_000_000))
        }

        func count(_ sql: String, _ id: ExportScheduleID) async throws -> Int64 {
            try await database.int("select count(*) from \(sql)", .uuid(id.uuid))
        }
    }
}
