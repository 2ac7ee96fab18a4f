package import DiaryCore
package import FoundationEssentials
import PostgresClient

/// The parts of exports while they are built.
extension PostgresExportBuildStore {
    package func checkpoint(of export: ExportID, of owner: Owner) async throws(WorkError) -> ExportCheckpoint? {
        let named = owner.parameters + [.uuid(export.uuid)]
        return try await transaction.forWorker(owner).run([
            Statement("select work_object_id from exports where tenant_id = $1 and user_id = $2 and id = $3", named),
            Statement(
                """
                select entry_count, object_id, size_bytes from export_parts
                where tenant_id = $1 and user_id = $2 and export_id = $3 order by number
                """, named),
        ]) { rows in
            guard let object = try rows.first(0)?.uuidOrNil(0) else { return nil }
            let parts = try rows[1].all { row in
                ExportCheckpoint.Part(entryCount: try row.count(), object: try row.uuidOrNil(), sizeBytes: try row.intOrNil())
            }
            return ExportCheckpoint(object: object, parts: parts)
        }
    }

    package func saveCheckpoint(_ job: LeasedJob, object: UUID, keyID: UUID, entries: [Int]) async throws(WorkError) {
        let named = job.owner.parameters + [.uuid(job.subject)]
        try await jobs.held(
            job, key: keyID,
            [
                Statement("delete from export_parts where tenant_id = $1 and user_id = $2 and export_id = $3", named),
                Statement(
                    """
                    with kept as (
                        update exports x set work_object_id = $4 where x.tenant_id = $1 and x.user_id = $2 and x.id = $3 returning x.id)
                    insert into export_parts (tenant_id, user_id, export_id, number, entry_count)
                    select $1, $2, k.id, p.number, p.entries from kept k, unnest($5::bigint[]) with ordinality as p (entries, number)
                    """, named + [.uuid(object), .ints(entries.map { Int64($0) })]),
            ])
    }

    package func discardCheckpoint(_ job: LeasedJob) async throws(WorkError) -> [UUID] {
        let named = job.owner.parameters + [.uuid(job.subject)]
        return try await jobs.held(job).run([
            Statement(
                """
                select x.work_object_id from exports x
                where x.tenant_id = $1 and x.user_id = $2 and x.id = $3 and x.work_object_id is not null
                """, named),
            Statement(
                """
                delete from export_parts p where p.tenant_id = $1 and p.user_id = $2 and p.export_id = $3 returning p.object_id
                """, named),
            Statement("update exports set work_object_id = null where tenant_id = $1 and user_id = $2 and id = $3", named),
        ]) { rows in
            try rows.prefix(2).joined().compactMap { try $0.uuidOrNil(0) }
        }
    }

    package func finishPart(
        _ job: LeasedJob, part: Int, entries: Int, object: UUID, keyID: UUID, size: Int64
    ) async throws(WorkError) {
        let rows = try await jobs.held(
            job, key: keyID,
            [
                Statement(
                    """
                    insert into export_parts as p (tenant_id, user_id, export_id, number, entry_count, object_id, key_id, size_bytes)
                    select $1, $2, x.id, $4, $5, $6, $7, $8 from exports x
                    where x.tenant_id = $1 and x.user_id = $2 and x.id = $3 and x.revoked_at is null
                    on conflict on constraint export_parts_pk do update set entry_count = excluded.entry_count,
                        object_id = excluded.object_id, key_id = excluded.key_id, size_bytes = excluded.size_bytes
                    returning p.number
                    """,
                    job.owner.parameters + [
                        .uuid(job.subject), .int4(Int32(clamping: part)), .int4(Int32(clamping: entries)), .uuid(object), .uuid(keyID),
                        .int(size),
                    ])
            ])
        if rows.first(0) == nil { throw .ownerGone }
    }

    package func note(_ progress: ExportProgress, _ job: LeasedJob) async throws(WorkError) -> Bool {
        // Fenced by itself, without the account's lock and a change number: nothing but the answer of a read depends on it.
        try await transaction.forWorker(job.owner).run(
            """
            update exports x set progress_entries = $6, progress_entries_total = $7, progress_bytes = $8, progress_bytes_total = $9,
                progress_seconds = $10
            from jobs j
            where x.tenant_id = $1 and x.user_id = $2 and x.id = $3 and x.status = 'building' and x.revoked_at is null
                and j.id = $4 and j.attempt = $5 and j.lease_until is not null
            """,
            job.owner.parameters + [.uuid(job.subject)] + job.fence + [
                .int4(Int32(clamping: progress.entries)), .int4(Int32(clamping: progress.entriesTotal)), .int(progress.bytes),
                .int(progress.bytesTotal), .int4(progress.estimatedSeconds.map { Int32(clamping: $0) }),
            ]
        ).affected == 1
    }
}
