package import DiaryCore
package import FoundationEssentials
import PostgresClient

extension PostgresImportStore {
    /// How many other imports have a set of parts and wait. `$1` to `$3` are tenant, user and import.
    private static let others = """
        select count(*) from imports o where o.tenant_id = $1 and o.user_id = $2 and o.status = 'awaiting_upload'
            and o.part_upload is not null and o.id <> $3
        """

    private static let state = SQL(
        """
        select i.status = 'awaiting_upload' and i.object_id is not null, coalesce(i.object_id, i.id), i.size_bytes, i.part_upload, i.part_bytes,
            (\(others))
        from imports i where i.tenant_id = $1 and i.user_id = $2 and i.id = $3
        """)

    package func partUpload(of id: ImportID, by member: Member) async throws(DiaryError) -> PartUploadState? {
        let rows = try await transaction.run(member, [Self.state(id, member.owner)])
        return try Self.state(rows.first(0), member.owner)
    }

    package func openPartUpload(
        _ opening: PartUploadOpening, of id: ImportID, by member: Member
    ) async throws(DiaryError) -> PartUploadState? {
        let rows = try await transaction.run(
            member,
            [
                // A statement of its own, so that the next one counts what was opened during the wait.
                Statement("select 1 from user_sync where tenant_id = $1 and user_id = $2 for update", member.owner.parameters),
                Statement(
                    """
                    update imports i set part_upload = $4, part_bytes = $5
                    where i.tenant_id = $1 and i.user_id = $2 and i.id = $3 and i.status = 'awaiting_upload'
                        and i.part_upload is not distinct from $6 and (\(Self.others)) < $7
                    """,
                    member.owner.parameters + [
                        .uuid(id.uuid), .text(opening.id), .int(opening.partSize), .text(opening.replacing), .int(Int64(opening.most)),
                    ]),
                Self.state(id, member.owner),
            ])
        let state = try Self.state(rows.first(2), member.owner)
        guard let state, state.isOpen else { return nil }
        // The store has dropped that one.
        guard let replaced = opening.replacing, state.id == replaced else { return state }
        throw DiaryError(.tooManyUploads)
    }

    package func closePartUpload(_ upload: String, of id: ImportID, by member: Member) async throws(DiaryError) -> Bool {
        let rows = try await transaction.run(
            member,
            [
                Statement(
                    """
                    update imports i set part_upload = null, part_bytes = null
                    where i.tenant_id = $1 and i.user_id = $2 and i.id = $3 and i.part_upload = $4 and i.status = 'awaiting_upload'
                    """, member.owner.parameters + [.uuid(id.uuid), .text(upload)])
            ])
        return (rows.last?.affected ?? 0) > 0
    }

    package func uploadState(_ object: UUID, of owner: Owner) async throws(DiaryError) -> UploadState {
        let state = Statement(
            """
            select i.status = 'awaiting_upload' from imports i
            where i.tenant_id = $1 and i.user_id = $2 and i.object_id = $3 and i.status <> 'failed' and account_is_open($1, $2)
            """, owner.parameters + [.uuid(object)])
        do {
            guard let row = try await uploadTransaction.run(owner, [state]).first(0) else { return .gone }
            return try row.bool(0) ? .awaiting : .finished
        } catch {
            throw error.forClient
        }
    }

    package func partUploadState(_ upload: String, of key: ObjectKey) async throws(DiaryError) -> PartSetState {
        let owner = Owner(tenant: key.tenant, user: key.user)
        let state = Statement(
            """
            select case when i.status = 'failed' then 'gone' when i.status <> 'awaiting_upload' then 'finished'
                when account_is_open($1, $2) then 'awaiting' else 'closed' end
            from imports i where i.tenant_id = $1 and i.user_id = $2 and i.object_id = $3 and i.part_upload = $4
            """, owner.parameters + [.uuid(key.object), .text(upload)])
        do {
            switch try await uploadTransaction.run(owner, [state]).first(0)?.text(0) {
            case "awaiting": return .awaiting
            case "finished": return .finished
            case "closed": return .closed
            default: return .gone
            }
        } catch {
            throw error.forClient
        }
    }

    private static func state(_ id: ImportID, _ owner: Owner) -> Statement {
        Statement(state, owner.parameters + [.uuid(id.uuid)])
    }

    private static func state(_ row: Row?, _ owner: Owner) throws(DiaryError) -> PartUploadState? {
        try decoding { () throws(DatabaseError) in
            guard let row else { return nil }
            return PartUploadState(
                isOpen: try row.bool(0),
                key: ObjectKey(kind: .staging, tenant: owner.tenant, user: owner.user, object: try row.uuid(1)),
                contentType: Import.contentType, size: try row.int(2), id: try row.textOrNil(3), partSize: try row.intOrNil(4),
                others: Int(clamping: try row.int(5)))
        }
    }
}
