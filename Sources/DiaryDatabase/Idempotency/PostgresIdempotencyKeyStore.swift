package import DiaryCore
package import PostgresClient

package struct PostgresIdempotencyKeyStore: IdempotencyKeyStore {
    let transaction: MemberTransaction

    package func known(_ operation: KeyClaim.Operation, keyHash: [UInt8], of member: Member) async throws(DiaryError) -> KnownKey? {
        let rows = try await transaction.run(
            member,
            [
                Statement(
                    """
                    select k.request_hash, k.subject, k.results from idempotency_keys k
                    where k.tenant_id = $1 and k.user_id = $2 and k.operation = $3 and k.key_hash = $4
                    """, member.owner.parameters + [.text(operation.rawValue), .bytes(keyHash)])
            ])
        return try decoding { () throws(DatabaseError) in
            try rows.first(0).map { row throws(DatabaseError) in
                KnownKey(
                    requestHash: try row.bytes(0), subject: try row.uuid(1), results: try row.isNull(2) ? nil : try row.texts(2))
            }
        }
    }

    package func begin(_ claim: KeyClaim, by member: Member) async throws(DiaryError) {
        _ = try await transaction.run(member, [claim.statement(of: member.owner)])
    }

    package func finish(_ claim: KeyClaim, results: [String], by member: Member) async throws(DiaryError) {
        _ = try await transaction.run(
            member,
            [
                Statement(
                    """
                    update idempotency_keys set results = $5
                    where tenant_id = $1 and user_id = $2 and operation = $3 and key_hash = $4 and results is null
                    """,
                    member.owner.parameters + [.text(claim.operation.rawValue), .bytes(claim.keyHash), .texts(results)])
            ])
    }
}

extension PostgresIdempotencyKeyStore {
    package init(pool: ConnectionPool) { self.init(transaction: MemberTransaction(pool: pool)) }
}
