import DiaryCore
import Foundation
import PostgresClient

@testable import DiaryDatabase

extension SeedData {
    var retained: [Statement] {
        func entry(_ id: EntryID, _ number: Int64, object: UUID = UUID(), trashHours: Double? = nil, isRemoved: Bool = false) -> Statement {
            Statement(
                """
                insert into entries (tenant_id, user_id, id, kind, status, change_number, recorded_at, time_zone, recorded_local, size_bytes, content_type,
                    object_id, request_hash, key_id, personal, personal_version, deleted_at, trash_ends_at, audio_removed_at)
                values ($1, $2, $3, 'voice', 'transcribed', $4, '2026-06-01T12:00:00Z', 'UTC', '2026-06-01T12:00:00', 5, 'audio/mp4', $5, '\\x01', $6,
                    'sealed', 1, case when $7 is not null then clock_timestamp() - interval '2 hours' end,
                    clock_timestamp() + make_interval(secs => $7 * 3600), case when $8 then clock_timestamp() end)
                """,
                person.owner.parameters + [
                    .uuid(id.uuid), .int(number), .uuid(object), .uuid(person.keyID), .double(trashHours), .bool(isRemoved),
                ])
        }
        return [
            entry(trashed, -1, object: trashedObject, trashHours: 1), entry(ended, -2, trashHours: -1), entry(finished, -3),
            entry(removed, -4, isRemoved: true),
        ]
    }
}
