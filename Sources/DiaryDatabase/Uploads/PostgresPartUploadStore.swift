package import DiaryCore
import FoundationEssentials
package import PostgresClient

/// Sets of parts of recordings, by the database role `diary_api`.
package struct PostgresPartUploadStore: PartUploadStore {
    let transaction: MemberTransaction
    let uploadTransaction: OwnerTransaction

    package func partUpload(of id: EntryID, by member: Member) async throws(DiaryError) -> PartUploadState? {
        try await PartUploadTable.entries.state(of: id.uuid, transaction, member)
    }

    package func openPartUpload(
        _ opening: PartUploadOpening, of id: EntryID, by member: Member
    ) async throws(DiaryError) -> PartUploadState? {
        try await PartUploadTable.entries.open(opening, of: id.uuid, transaction, member)
    }

    package func closePartUpload(_ upload: String, of id: EntryID, by member: Member) async throws(DiaryError) -> Bool {
        try await PartUploadTable.entries.close(upload, of: id.uuid, transaction, member)
    }

    package func partUploadState(_ upload: String, of key: ObjectKey) async throws(DiaryError) -> PartSetState {
        try await PartUploadTable.entries.state(of: upload, at: key, uploadTransaction)
    }
}

extension PartUploadTable {
    private static let others = """
        select count(*) from entries o where o.tenant_id = $1 and o.user_id = $2 and o.status = 'awaiting_upload'
            and o.part_upload is not null and o.deleted_at is null and o.id <> $3
        """
    private static let expired = "e.status = 'failed' and e.stage_code is not distinct from '\(ProcessingCode.uploadExpired.rawValue)'"

    /// Sets of entries. That of an expired entry stays open (decision 0006).
    static let entries = PartUploadTable(
        selectState: SQL(
            """
            select e.status = 'awaiting_upload' or \(expired), coalesce(e.object_id, e.id), coalesce(e.content_type, ''), coalesce(e.size_bytes, 0),
                e.part_upload, e.part_bytes, (\(others))
            from entries e where e.tenant_id = $1 and e.user_id = $2 and e.id = $3 and e.kind = 'voice' and e.deleted_at is null
            """),
        setUpload: SQL(
            """
            update entries e set part_upload = $4, part_bytes = $5
            where e.tenant_id = $1 and e.user_id = $2 and e.id = $3 and e.kind = 'voice' and e.status = 'awaiting_upload'
                and e.deleted_at is null and e.part_upload is not distinct from $6 and (\(others)) < $7
            """),
        clearUpload: SQL(
            """
            update entries e set part_upload = null, part_bytes = null
            where e.tenant_id = $1 and e.user_id = $2 and e.id = $3 and e.part_upload = $4 and e.deleted_at is null
                and (e.status = 'awaiting_upload' or \(expired))
            """),
        selectSetState: SQL(
            """
            select case when \(expired) then 'closed'
                when e.status <> 'awaiting_upload' then 'finished' when account_is_open($1, $2) then 'awaiting' else 'closed' end
            from entries e join users u on u.tenant_id = e.tenant_id and u.id = e.user_id
            where e.tenant_id = $1 and e.user_id = $2 and e.object_id = $3 and e.part_upload = $4
                and (e.deleted_at is null or e.trash_ends_at is not null) and u.deleted_at is null
            """))
}

extension PostgresPartUploadStore {
    package init(pool: ConnectionPool) {
        self.init(transaction: MemberTransaction(pool: pool), uploadTransaction: OwnerTransaction(pool: pool))
    }
}
