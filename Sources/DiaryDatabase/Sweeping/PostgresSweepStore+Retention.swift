package import DiaryCore
import PostgresClient

/// The trash, and recordings that are older than their accounts keep them.
extension PostgresSweepStore {
    package func endedTrash(limit: Int) async throws(WorkError) -> [(owner: Owner, entry: EntryID)] {
        try await entries("sweep_trash", limit)
    }

    package func endTrash(_ entry: EntryID, of owner: Owner) async throws(WorkError) -> RecordingObjects? {
        let end = EntryDeletion.end(entry, onlyWhenDue: true, of: owner)
        return try await transaction.forWorker(owner).run([.touchOwner(owner), end]) { rows in
            try rows.one(1) { try StoredRecording(&$0).objects }
        }
    }

    package func uncheckedTrash(after: EntryID?, limit: Int) async throws(WorkError) -> [AwaitingUpload] {
        try await pool.forWorker.all(
            "select * from sweep_trash_uploads($1, $2)", [.uuid(after?.uuid), .int4(Int32(clamping: limit))]
        ) { try AwaitingUpload(&$0) }
    }

    package func arrivedInTrash(_ upload: AwaitingUpload) async throws(WorkError) {
        // No change number: the tombstone keeps its place in the feed.
        try await write(
            upload.owner,
            Statement(
                """
                update entries e set status = 'uploaded', uploaded_at = clock_timestamp(), stage = $4, stage_attempt = 0, stage_next_at = null,
                    stage_code = null
                where e.tenant_id = $1 and e.user_id = $2 and e.id = $3 and e.object_id = $6 and e.trash_ends_at is not null
                    and (e.status = 'awaiting_upload' or e.status = 'failed' and e.stage_code = $5)
                """,
                upload.owner.parameters + [
                    .uuid(upload.entry.uuid), .text(JobKind.verify.rawValue), .text(ProcessingCode.uploadExpired.rawValue),
                    .uuid(upload.object),
                ]))
    }

    package func checkedUploads(among keys: [ObjectKey]) async throws(WorkError) -> [ObjectKey] {
        try await those(
            of: keys,
            Statement(
                "select * from sweep_checked_uploads($1, $2, $3)",
                [.uuids(keys.map(\.tenant.uuid)), .uuids(keys.map(\.user.uuid)), .uuids(keys.map(\.object))]))
    }

    package func overdueAudio(limit: Int) async throws(WorkError) -> [(owner: Owner, entry: EntryID)] {
        try await entries("sweep_retention", limit)
    }

    package func removeAudio(_ entry: EntryID, of owner: Owner) async throws(WorkError) -> Bool {
        try await write(owner, AudioRemoval.overdue(entry, of: owner)) > 0
    }

    private func entries(_ sweep: String, _ limit: Int) async throws(WorkError) -> [(owner: Owner, entry: EntryID)] {
        try await pool.forWorker.all("select * from \(sweep)($1)", [.int4(Int32(clamping: limit))]) { row in
            (owner: try Owner(&row), entry: EntryID(try row.uuid()))
        }
    }
}
