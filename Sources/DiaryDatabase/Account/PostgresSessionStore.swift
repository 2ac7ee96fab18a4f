package import DiaryCore
import FoundationEssentials
package import PostgresClient

/// A member's sessions, by the database role `diary_api`.
package struct PostgresSessionStore: SessionStore {
    let transaction: MemberTransaction

    private static let lives = "revoked_at is null and least(expires_at, idle_expires_at) > clock_timestamp()"

    package func sessions(of member: Member) async throws(DiaryError) -> [StoredSession] {
        try await transaction.of(member).all(
            """
            select id, device_sealed, place_sealed, created_at, last_used_at, proved_at from sessions
            where tenant_id = $1 and user_id = $2 and \(Self.lives) order by last_used_at desc, id limit 100
            """, member.owner.parameters
        ) { row in
            StoredSession(
                id: SessionID(try row.uuid()), deviceSealed: try row.bytesOrNil(), placeSealed: try row.bytesOrNil(),
                createdAt: try row.date(), lastUsedAt: try row.date(), provedAt: try row.date())
        }
    }

    package func end(_ session: SessionID, by member: Member, requestID: String?) async throws(DiaryError) -> Bool {
        try await transaction.of(member).run(
            """
            with ended as (
                update sessions set revoked_at = clock_timestamp() where tenant_id = $1 and user_id = $2 and id = $3 and \(Self.lives)
                returning id)
            select e.id, record_event($1, $2, $4, 'member', e.id, $5) from ended e
            """,
            member.owner.parameters + [.uuid(session.uuid), .text(AuditEvent.Kind.sessionRevoked.rawValue), .text(requestID)]
        ).first != nil
    }

    package func endAll(keepingOwn: Bool, by member: Member, requestID: String?) async throws(DiaryError) {
        try await transaction.run(
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
