package import DiaryCore
import FoundationEssentials
package import PostgresClient

package struct PostgresIdempotencyKeyStore: IdempotencyKeyStore {
    let transaction: MemberTransaction

    package func known(_ operation: KeyClaim.Operation, keyHash: [UInt8], of member: Member) async throws(DiaryError) -> KnownKey? {
        try await transaction.of(member).one(
            """
            select k.request_hash, k.subject, k.results from idempotency_keys k
            where k.tenant_id = $1 and k.user_id = $2 and k.operation = $3 and k.key_hash = $4
            """, member.owner.parameters + [.text(operation.rawValue), .bytes(keyHash)]
        ) { row in
            KnownKey(
                requestHash: try row.bytes(), subject: try row.uuid(), results: try row.nextIsNull() ? nil : try row.texts())
        }
    }

    package func begin(_ claim: KeyClaim, by member: Member) async throws(DiaryError) {
        try await transaction.run(member, [claim.statement(of: member.owner)])
    }

    package func finish(_ claim: KeyClaim, results: [String], by member: Member) async throws(DiaryError) {
        try await transaction.of(member).run(
            """
            update idempotency_keys set results = $5
            where tenant_id = $1 and user_id = $2 and operation = $3 and key_hash = $4 and results is null
            """, member.owner.parameters + [.text(claim.operation.rawValue), .bytes(claim.keyHash), .texts(results)])
    }
}

extension PostgresIdempotencyKeyStore {
    package init(pool: ConnectionPool) { self.init(transaction: MemberTransaction(pool: pool)) }
}

extension KeyClaim {
    /// Stores the key; stops the transaction when it is stored already.
    func statement(of owner: Owner) -> Statement {
        Statement("\(Self.into) values ($1, $2, $3, $4, $5, $6)", owner.parameters + values)
    }

    /// The same where the write of the transaction has succeeded.
    /// - Parameter condition: SQL; `$1` and `$2` are tenant and user, `$3` is `id`.
    func statement(of owner: Owner, where condition: String, _ id: UUID) -> Statement {
        Statement("\(Self.into) select $1, $2, $4, $5, $6, $7 where \(condition)", owner.parameters + [.uuid(id)] + values)
    }

    private static let into = "insert into idempotency_keys (tenant_id, user_id, operation, key_hash, request_hash, subject)"

    private var values: [Parameter] { [.text(operation.rawValue), .bytes(keyHash), .bytes(requestHash), .uuid(subject)] }

    /// The same as a part of the write's own statement: a common table expression for each row of `source`.
    static func insert(_ operation: Operation, from source: String, keyHash: String, requestHash: String, subject: String) -> String {
        """
        \(into)
        select $1, $2, '\(operation.rawValue)', \(keyHash), \(requestHash), \(subject) from \(source) where \(keyHash)::bytea is not null
        """
    }
}
