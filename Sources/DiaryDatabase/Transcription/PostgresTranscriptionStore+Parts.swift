package import DiaryCore
package import FoundationEssentials
import PostgresClient

/// Heard parts of long recordings. `finishTranscribe` deletes those of its entry.
extension PostgresTranscriptionStore {
    package func parts(
        of entry: EntryID, object: UUID, engine: String, of owner: Owner
    ) async throws(WorkError) -> [StoredSpeechPart] {
        try await transaction.forWorker(owner).all(
            """
            select part, from_ms, to_ms, sealed from speech_parts
            where tenant_id = $1 and user_id = $2 and entry_id = $3 and object_id = $4 and engine = $5 order by part
            """, owner.parameters + [.uuid(entry.uuid), .uuid(object), .text(engine)]
        ) { row in
            StoredSpeechPart(
                index: try row.count(), fromMilliseconds: try row.int(), toMilliseconds: try row.int(), sealed: try row.bytes())
        }
    }

    package func keep(
        _ part: StoredSpeechPart, used: UsageAmount, keyID: UUID, object: UUID, engine: String, _ job: LeasedJob
    ) async throws(WorkError) {
        let place = job.owner.parameters + [.uuid(job.subject), .uuid(object), .text(engine), .int4(Int32(clamping: part.index))]
        let rows = try await jobs.held(
            job, key: keyID,
            [
                // Not once more for a part whose commit was not heard of: two seals of one part differ.
                Statement(
                    """
                    select settle_usage($1, $2, null, clock_timestamp(), true, $8, $9, $10, $11)
                    from entries e
                    where e.tenant_id = $1 and e.user_id = $2 and e.id = $3 and e.deleted_at is null and not exists (
                        select from speech_parts p
                        where p.tenant_id = $1 and p.user_id = $2 and p.entry_id = $3 and p.object_id = $4 and p.engine = $5
                            and p.part = $6 and p.sealed = $7)
                    """,
                    place + [
                        .bytes(part.sealed), .int(used.audioMilliseconds), .int(used.inputTokens), .int(used.outputTokens),
                        .int(used.cost),
                    ]),
                Statement(
                    """
                    insert into speech_parts (tenant_id, user_id, entry_id, object_id, engine, part, from_ms, to_ms, sealed, key_id)
                    select e.tenant_id, e.user_id, e.id, $4, $5, $6, $7, $8, $9, $10
                    from entries e where e.tenant_id = $1 and e.user_id = $2 and e.id = $3 and e.deleted_at is null
                    on conflict on constraint speech_parts_pk do update set from_ms = excluded.from_ms, to_ms = excluded.to_ms,
                        sealed = excluded.sealed, key_id = excluded.key_id, created_at = excluded.created_at
                    returning part
                    """,
                    place + [.int(part.fromMilliseconds), .int(part.toMilliseconds), .bytes(part.sealed), .uuid(keyID)]),
                Self.endUnlessThere(job),
            ])
        if rows.first(1) == nil { throw .ownerGone }
    }
}
