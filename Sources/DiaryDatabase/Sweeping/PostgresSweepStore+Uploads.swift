package import DiaryCore
package import FoundationEssentials
import PostgresClient

/// Uploads that wait, whole and in parts.
extension PostgresSweepStore {
    package func awaitingUploads(
        olderThanSeconds: Double, after: UploadPlace?, limit: Int
    ) async throws(WorkError) -> [AwaitingUpload] {
        try await pool.forWorker.all(
            "select * from sweep_uploads(make_interval(secs => $1), $2, $3, $4)",
            [.double(olderThanSeconds), .timestamp(after?.at), .uuid(after?.entry.uuid), .int4(Int32(clamping: limit))]
        ) { try AwaitingUpload(&$0) }
    }

    package func lateUploads(after: UploadPlace?, limit: Int) async throws(WorkError) -> [AwaitingUpload] {
        try await pool.forWorker.all(
            "select * from sweep_late_uploads($1, $2, $3)",
            [.timestamp(after?.at), .uuid(after?.entry.uuid), .int4(Int32(clamping: limit))]
        ) { try AwaitingUpload(&$0) }
    }

    package func completeUpload(_ upload: AwaitingUpload, size: Int64, job: NewJob) async throws(WorkError) {
        try await write(
            upload.owner,
            Statement(
                """
                with uploaded as (
                    update entries e set status = 'uploaded', uploaded_at = clock_timestamp(), size_bytes = $4, updated_at = clock_timestamp(),
                        change_number = s.change_number, stage = $6, stage_attempt = 0, stage_code = null
                    from user_sync s where s.tenant_id = $1 and s.user_id = $2 and e.tenant_id = $1 and e.user_id = $2 and e.id = $3
                        and e.object_id = $9 and e.deleted_at is null
                        and (e.status = 'awaiting_upload' or e.status = 'failed' and e.stage_code = $8)
                    returning e.id)
                \(JobInsertion.sql(id: "$5", kind: "$6", subject: "u.id", cost: "$7", from: "uploaded u")) on conflict do nothing
                """,
                upload.owner.parameters + [
                    .uuid(upload.entry.uuid), .int(size), .uuid(job.id.uuid), .text(job.kind.rawValue), .double(job.cost),
                    .text(ProcessingCode.uploadExpired.rawValue), .uuid(upload.object),
                ]))
    }

    @discardableResult
    package func abandonUpload(
        _ upload: AwaitingUpload, at now: Date, arrivedBefore: Date, object: UUID?
    ) async throws(WorkError) -> Bool {
        try await write(
            upload.owner,
            Statement(
                """
                update entries e set status = case when e.on_device then 'transcribed' else 'failed' end,
                    stage = case when not e.on_device then $6 end, stage_code = case when not e.on_device then $4 end,
                    updated_at = clock_timestamp(), change_number = s.change_number,
                    -- A recording that stays on its device after all.
                    object_id = case when not e.on_device then coalesce($8, e.object_id) end,
                    size_bytes = case when not e.on_device then e.size_bytes end, sha256 = case when not e.on_device then e.sha256 end,
                    content_type = case when not e.on_device then e.content_type end,
                    upload_expires_at = case when not e.on_device then e.upload_expires_at end,
                    part_upload = case when not e.on_device then e.part_upload end,
                    part_bytes = case when not e.on_device then e.part_bytes end
                from user_sync s where s.tenant_id = $1 and s.user_id = $2 and e.tenant_id = $1 and e.user_id = $2 and e.id = $3
                    and e.deleted_at is null and e.status = 'awaiting_upload' and (e.uploaded_at < $5) is not false
                    and (e.upload_expires_at <= $7) is not false
                """,
                upload.owner.parameters + [
                    .uuid(upload.entry.uuid), .text(ProcessingCode.uploadExpired.rawValue), .timestamp(arrivedBefore),
                    .text(JobKind.verify.rawValue), .timestamp(now), .uuid(object),
                ])) > 0
    }

    package func awaitingParts(after: EntryID?, limit: Int) async throws(WorkError) -> [AwaitingParts] {
        try await pool.forWorker.all(
            "select * from sweep_part_uploads($1, $2)", [.uuid(after?.uuid), .int4(Int32(clamping: limit))]
        ) { row in
            let upload = try AwaitingUpload(&row)
            return AwaitingParts(
                upload: upload,
                parts: PartUpload(
                    key: ObjectKey(
                        kind: .staging, tenant: upload.owner.tenant, user: upload.owner.user, object: upload.object), id: try row.text(),
                    contentType: try row.text(), size: upload.size, partSize: try row.int()))
        }
    }

    package func orphans(among uploads: [StoredPartUpload]) async throws(WorkError) -> [StoredPartUpload] {
        try await those(
            of: uploads,
            Statement(
                "select * from sweep_part_orphans($1, $2, $3, $4)",
                [
                    .uuids(uploads.map(\.key.tenant.uuid)), .uuids(uploads.map(\.key.user.uuid)), .uuids(uploads.map(\.key.object)),
                    .texts(uploads.map(\.id)),
                ]))
    }
}

extension AwaitingUpload {
    /// A row of `sweep_uploads`, `sweep_late_uploads`, `sweep_part_uploads` and `sweep_trash_uploads`.
    init(_ row: inout Row) throws(DatabaseError) {
        self.init(
            owner: try Owner(&row), entry: EntryID(try row.uuid()), object: try row.uuid(), size: try row.int(),
            createdAt: try row.date(), expiresAt: try row.date())
    }
}
