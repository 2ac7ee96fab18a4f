package import DiaryCore
import FoundationEssentials
package import PostgresClient

/// A member's API tokens, by the database role `diary_api`.
package struct PostgresAPITokenStore: APITokenStore {
    let transaction: MemberTransaction

    private static let columns = "k.id, k.name_sealed, k.scopes, k.created_at, k.expires_at, k.last_used_at"

    package func tokens(of member: Member) async throws(DiaryError) -> [StoredAPIToken] {
        try await transaction.of(member).all(
            """
            select \(Self.columns) from api_tokens k where k.tenant_id = $1 and k.user_id = $2 order by k.created_at desc, k.id desc
            """, member.owner.parameters
        ) { try StoredAPIToken(&$0) }
    }

    package func create(
        _ token: NewAPIToken, most: Int, by member: Member, requestID: String?
    ) async throws(DiaryError) -> StoredAPIToken? {
        try await transaction.of(member).run([
            .freshProof(of: member),
            // Two requests at once would both count the same rows: the second waits here, and its next statement sees what the first wrote.
            EntryDeletion.lock(token.keyID, member.owner),
            Statement(
                """
                with made as (
                    insert into api_tokens as k (tenant_id, user_id, id, name_sealed, token_hash, scopes, expires_at)
                    select $1, $2, $3, $4, $5, $6, clock_timestamp() + make_interval(days => $7)
                    where $8 > (select count(*) from api_tokens o
                        where o.tenant_id = $1 and o.user_id = $2 and o.expires_at > clock_timestamp())
                    returning \(Self.columns))
                select \(Self.columns), record_event($1, $2, $9, 'member', k.id, $10) from made k
                """,
                member.owner.parameters + [
                    .uuid(token.id.uuid), .bytes(token.nameSealed), .bytes(token.hash), .texts(token.scopes.map(\.rawValue).sorted()),
                    .int4(Int32(clamping: token.days)), .int(most), .text(AuditEvent.Kind.tokenCreated.rawValue), .text(requestID),
                ]),
        ]) { try $0.one(2) { try StoredAPIToken(&$0) } }
    }

    package func revoke(_ token: APITokenID, by member: Member, requestID: String?) async throws(DiaryError) -> Bool {
        try await transaction.of(member).run(
            """
            with gone as (delete from api_tokens k where k.tenant_id = $1 and k.user_id = $2 and k.id = $3 returning k.id)
            select g.id, record_event($1, $2, $4, 'member', g.id, $5) from gone g
            """,
            member.owner.parameters + [.uuid(token.uuid), .text(AuditEvent.Kind.tokenRevoked.rawValue), .text(requestID)]
        ).first != nil
    }

    package func noteUse(by member: Member) async throws(DiaryError) {
        try await transaction.of(member).run(
            "update api_tokens k set last_used_at = clock_timestamp() where k.tenant_id = $1 and k.user_id = $2 and k.id = $3",
            member.owner.parameters + [.uuid(member.session.uuid)])
    }
}

extension PostgresAPITokenStore {
    package init(pool: ConnectionPool) { self.init(transaction: MemberTransaction(pool: pool)) }
}

extension StoredAPIToken {
    init(_ row: inout Row) throws(DatabaseError) {
        self.init(
            id: APITokenID(try row.uuid()), nameSealed: try row.bytes(), scopes: try row.texts().compactMap { APITokenScope(rawValue: $0) },
            createdAt: try row.date(), expiresAt: try row.date(), lastUsedAt: try row.dateOrNil())
    }
}

extension Statement {
    /// Ends the account's API tokens, where that was asked for.
    /// - Parameters:
    ///   - condition: SQL; `$1` and `$2` are tenant and user, `values` follow from `$3`.
    static func endAPITokens(_ isAsked: Bool, of owner: Owner, where condition: String, _ values: [Parameter]) -> Statement {
        guard isAsked else { return .nothing }
        return Statement("delete from api_tokens where tenant_id = $1 and user_id = $2 and \(condition)", owner.parameters + values)
    }
}
