package import DiaryCore
package import FoundationEssentials
import PostgresClient

extension PostgresRestoreCheck: ObjectCheckStore {
    package func keptTimes() async throws(DiaryError) -> [ClosedRange<Date>] { try await epoch().kept }

    package func digest(of recording: NamedObject) async throws(DiaryError) -> [UInt8]? {
        do {
            let rows = try await main.run([
                Statement(
                    """
                    select sha256 from entries where tenant_id = $1 and user_id = $2 and id = $3 and object_id = $4
                        and (deleted_at is null or trash_ends_at is not null) and audio_removed_at is null
                        -- What was announced of a recording that the check refused, not what is stored.
                        and (status = 'failed' and stage = 'verify') is not true
                    union all
                    select sha256 from entry_renditions where tenant_id = $1 and user_id = $2 and entry_id = $3 and object_id = $4
                        and waveform is not null
                    """, recording.owner.parameters + [.uuid(recording.id), .uuid(recording.object)])
            ])
            return try rows.first(0).flatMap { row throws(DatabaseError) in try row.bytesOrNil(0) }
        } catch {
            throw error.forClient
        }
    }
}
