package import DiaryCore
import FoundationEssentials
package import PostgresClient

/// Sets of parts as `diary_api`.
package struct PostgresPartUploadStore: PartUploadStore {
    let transaction: MemberTransaction
    let uploadTransaction: OwnerTransaction

    /// How many other entries have a set and wait. `$1` to `$3` are tenant, user and entry.
    private static let others = """
        select count(*) from entries o where o.tenant_id = $1 and o.user_id = $2 and o.status = 'awaiting_upload'
            and o.part_upload is not null and o.deleted_at is null and o.id <> $3
        """

    private static let state = SQL(
        """
        select e.status = 'awaiting_upload' or e.status = 'failed' and e.stage_code is not distinct from $4,
            coalesce(e.object_id, e.id), e.content_type, e.size_bytes, e.part_upload, e.part_bytes, (\(others))
        from entries e where e.tenant_id = $1 and e.user_id = $2 and e.id = $3 and e.kind = 'voice' and e.deleted_at is null
        """)

    package func partUpload(of id: EntryID, by member: Member) async throws(DiaryError) -> PartUploadState? {
        let rows = try await transaction.run(member, [Self.state(id, member.owner)])
        return try Self.state(rows.first(0), member.owner)
    }

    package func openPartUpload(
        _ opening: PartUploadOpening, of id: EntryID, by member: Member
    ) async throws(DiaryError) -> PartUploadState? {
        let rows = try await transaction.run(
            member,
            [
                // A statement of its own, so that the next one counts what was opened during the wait.
                Statement("select 1 from user_sync where tenant_id = $1 and user_id = $2 for update", member.owner.parameters),
                Statement(
                    """
                    update entries e set part_upload = $4, part_bytes = $5
                    where e.tenant_id = $1 and e.user_id = $2 and e.id = $3 and e.kind = 'voice' and e.status = 'awaiting_upload'
                        and e.deleted_at is null and e.part_upload is not distinct from $6
                        and (\(Self.others)) < $7
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

    package func closePartUpload(_ upload: String, of id: EntryID, by member: Member) async throws(DiaryError) -> Bool {
        let rows = try await transaction.run(
            member,
            [
                Statement(
                    """
                    update entries e set part_upload = null, part_bytes = null
                    where e.tenant_id = $1 and e.user_id = $2 and e.id = $3 and e.part_upload = $4 and e.deleted_at is null
                        and (e.status = 'awaiting_upload' or e.status = 'failed' and e.stage_code = $5)
                    """,
                    member.owner.parameters + [.uuid(id.uuid), .text(upload), .text(ProcessingCode.uploadExpired.rawValue)])
            ])
        return (rows.last?.affected ?? 0) > 0
    }

    package func partUploadState(_ upload: String, of key: ObjectKey) async throws(DiaryError) -> PartSetState {
        let owner = Owner(tenant: key.tenant, user: key.user)
        let state = Statement(
            """
            select case when e.status = 'failed' and e.stage_code is not distinct from $5 then 'closed'
                when e.status <> 'awaiting_upload' then 'finished' when account_is_open($1, $2) then 'awaiting' else 'closed' end
            from entries e join users u on u.tenant_id = e.tenant_id and u.id = e.user_id
            where e.tenant_id = $1 and e.user_id = $2 and e.object_id = $3 and e.part_upload = $4
                and (e.deleted_at is null or e.trash_ends_at is not null) and u.deleted_at is null
            """, owner.parameters + [.uuid(key.object), .text(upload), .text(ProcessingCode.uploadExpired.rawValue)])
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

    private static func state(_ id: EntryID, _ owner: Owner) -> Statement {
        Statement(state, owner.parameters + [.uuid(id.uuid), .text(ProcessingCode.uploadExpired.rawValue)])
    }

    private static func state(_ row: Row?, _ owner: Owner) throws(DiaryError) -> PartUploadState? {
        try decoding { () throws(DatabaseError) in
            guard let row else { return nil }
            return PartUploadState(
                isOpen: try row.bool(0),
                key: ObjectKey(kind: .staging, tenant: owner.tenant, user: owner.user, object: try row.uuid(1)),
                contentType: try row.text(2), size: try row.int(3), id: try row.textOrNil(4), partSize: try row.intOrNil(5),
                others: Int(clamping: try row.int(6)))
        }
    }
}

extension PostgresPartUploadStore {
    package init(pool: ConnectionPool) {
        self.init(transaction: MemberTransaction(pool: pool), uploadTransaction: OwnerTransaction(pool: pool))
    }
}
