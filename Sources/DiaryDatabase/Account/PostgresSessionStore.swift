package import DiaryCore
import FoundationEssentials
package import PostgresClient

/// A member's sessions, by the database role `diary_api`.
package struct PostgresSessionStore: SessionStore {
    let transaction: MemberTransaction

    private static let lives = "revoked_at is null and least(expires_at, idle_expires_at) > clock_timestamp()"

    package func sessions(of member: Member) async throws(DiaryError) -> [StoredSession] {
        let rows = try await transaction.run(
            member,
            [
                Statement(
                    """
                    select id, device_sealed, place_sealed, created_at, last_used_at, proved_at from sessions
                    where tenant_id = $1 and user_id = $2 and \(Self.lives) order by last_used_at desc, id limit 100
                    """, member.owner.parameters)
            ])
        return try decoding { () throws(DatabaseError) in
            try rows[0].map { row throws(DatabaseError) in
                StoredSession(
                    id: SessionID(try row.uuid(0)), deviceSealed: try row.bytesOrNil(1), placeSealed: try row.bytesOrNil(2),
                    createdAt: try row.date(3), lastUsedAt: try row.date(4), provedAt: try row.date(5))
            }
        }
    }

    package func end(_ session: SessionID, by member: Member, requestID: String?) async throws(DiaryError) -> Bool {
        let rows = try await transaction.run(
            member,
            [
                Statement(
                    """
                    with ended as (
                        update sessions set revoked_at = clock_timestamp() where tenant_id = $1 and user_id = $2 and id = $3 and \(Self.lives)
                        returning id)
                    select e.id, record_event($1, $2, $4, 'member', e.id, $5) from ended e
                    """,
                    member.owner.parameters + [
                        .uuid(session.uuid), .text(AuditEvent.Kind.sessionRevoked.rawValue), .text(requestID),
                    ])
            ])
        return rows.first(0) != nil
    }

    package func endAll(keepingOwn: Bool, by member: Member, requestID: String?) async throws(DiaryError) {
        _ = try await transaction.run(
            member,
            [
                .endLinksAndCodes(of: member.owner),
                Statement(
                    """
                    update sessions set revoked_at = clock_timestamp()
                    where tenant_id = $1 and user_id = $2 and revoked_at is null and not ($3 and id = $4)
                    """, member.owner.parameters + [.bool(keepingOwn), .uuid(member.session.uuid)]),
                Statement(
                    "select record_event($1, $2, $4, 'member', $3, $5)",
                    member.owner.parameters + [
                        .uuid(member.session.uuid), .text(AuditEvent.Kind.sessionsRevoked.rawValue), .text(requestID),
                    ]),
            ])
    }
}

extension PostgresSessionStore {
    package init(pool: ConnectionPool) { self.init(transaction: MemberTransaction(pool: pool)) }
}
