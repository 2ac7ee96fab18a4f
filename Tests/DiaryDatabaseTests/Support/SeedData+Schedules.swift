import Foundation
import PostgresClient

@testable import DiaryCore
@testable import DiaryDatabase

extension SeedData {
    var scheduled: [Statement] {
        let named = person.owner.parameters + [.uuid(schedule.uuid)]
        return [
            Statement(
                """
                insert into export_schedules (tenant_id, user_id, id, every, weekday, at_minute, time_zone, covers, include_audio, formats, layer,
                    mail, next_at)
                values ($1, $2, $3, 'week', 'monday', 360, 'Europe/Berlin', 'all', true, '{txt}', 'shown', true,
                    date_trunc('second', clock_timestamp()) - interval '1 minute')
                """, named),
            Statement(
                "update exports set schedule_id = $3 where tenant_id = $1 and user_id = $2 and id = $4", named + [.uuid(ready.uuid)]),
        ]
    }

    /// As the store lists it.
    func due(with stores: OpenedStores) async throws -> DueSchedule {
        guard let due = try await stores.due.due(of: person.owner.tenant, after: nil, limit: 100).first(where: { $0.id == schedule }) else {
            throw NotWhatWasExpected()
        }
        return due
    }
}
