package import DiaryCore
package import FoundationEssentials
import PostgresClient

extension PostgresImportStore {
    package func partUpload(of id: ImportID, by member: Member) async throws(DiaryError) -> PartUploadState? {
        try await PartUploadTable.imports.state(of: id.uuid, transaction, member)
    }

    package func openPartUpload(
        _ opening: PartUploadOpening, of id: ImportID, by member: Member
    ) async throws(DiaryError) -> PartUploadState? {
        try await PartUploadTable.imports.open(opening, of: id.uuid, transaction, member)
    }

    package func closePartUpload(_ upload: String, of id: ImportID, by member: Member) async throws(DiaryError) -> Bool {
        try await PartUploadTable.imports.close(upload, of: id.uuid, transaction, member)
    }

    package func partUploadState(_ upload: String, of key: ObjectKey) async throws(DiaryError) -> PartSetState {
        try await PartUploadTable.imports.state(of: upload, at: key, uploadTransaction)
    }

    package func uploadState(_ object: UUID, of owner: Owner) async throws(DiaryError) -> UploadState {
        try await uploadTransaction.forClient(owner).one(
            """
            select i.status = 'awaiting_upload' from imports i
            where i.tenant_id = $1 and i.user_id = $2 and i.object_id = $3 and i.status <> 'failed' and account_is_open($1, $2)
            """, owner.parameters + [.uuid(object)]
        ) { try $0.bool() ? .awaiting : .finished } ?? .gone
    }
}

extension PartUploadTable {
    private static let others = """
        select count(*) from imports o where o.tenant_id = $1 and o.user_id = $2 and o.status = 'awaiting_upload'
            and o.part_upload is not null and o.id <> $3
        """

    static let imports = PartUploadTable(
        selectState: SQL(
            """
            select i.status = 'awaiting_upload' and i.object_id is not null, coalesce(i.object_id, i.id), '\(Import.contentType)', i.size_bytes,
                i.part_upload, i.part_bytes, (\(others))
            from imports i where i.tenant_id = $1 and i.user_id = $2 and i.id = $3
            """),
        setUpload: SQL(
            """
            update imports i set part_upload = $4, part_bytes = $5
            where i.tenant_id = $1 and i.user_id = $2 and i.id = $3 and i.status = 'awaiting_upload'
                and i.part_upload is not distinct from $6 and (\(others)) < $7
            """),
        clearUpload: SQL(
            """
            update imports i set part_upload = null, part_bytes = null
            where i.tenant_id = $1 and i.user_id = $2 and i.id = $3 and i.part_upload = $4 and i.status = 'awaiting_upload'
            """),
        selectSetState: SQL(
            """
            select case when i.status = 'failed' then 'gone' when i.status <> 'awaiting_upload' then 'finished'
                when account_is_open($1, $2) then 'awaiting' else 'closed' end
            from imports i where i.tenant_id = $1 and i.user_id = $2 and i.object_id = $3 and i.part_upload = $4
            """))
}
