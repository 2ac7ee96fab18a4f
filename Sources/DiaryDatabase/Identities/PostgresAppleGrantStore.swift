package import DiaryCore
import FoundationEssentials
package import PostgresClient

/// Apple's grants, by the database role `diary_worker`: claimed across users, then written in a transaction of the grant's owner.
package struct PostgresAppleGrantStore: AppleGrantStore {
    let transaction: OwnerTransaction

    package func claim(limit: Int) async throws(WorkError) -> [AppleGrant] {
        try await transaction.pool.forWorker.all("select * from claim_apple_grants($1)", [.int4(Int32(clamping: limit))]) { row in
            AppleGrant(
                owner: try Owner(&row), identity: IdentityID(try row.uuid()), clientID: try row.text(), subjectHash: try row.bytes(),
                codeSealed: try row.bytesOrNil(), codeAt: try row.dateOrNil(), tokenSealed: try row.bytesOrNil(),
                revokeRequestedAt: try row.dateOrNil(), attempts: try row.count())
        }
    }

    package func keep(_ tokenSealed: [UInt8], for grant: AppleGrant) async throws(WorkError) {
        try await write(
            grant,
            """
            update apple_grants set token_sealed = $5, code_sealed = null, code_at = null, attempts = 0, next_attempt_at = clock_timestamp()
            where tenant_id = $1 and user_id = $2 and identity_id = $3 and client_id = $4 and code_sealed = $6
            """, [.bytes(tokenSealed), .bytes(grant.codeSealed)])
    }

    package func dropCode(of grant: AppleGrant) async throws(WorkError) {
        try await write(
            grant,
            """
            with emptied as (
                delete from apple_grants
                where tenant_id = $1 and user_id = $2 and identity_id = $3 and client_id = $4 and code_sealed = $5 and token_sealed is null)
            update apple_grants set code_sealed = null, code_at = null, attempts = 0
            where tenant_id = $1 and user_id = $2 and identity_id = $3 and client_id = $4 and code_sealed = $5 and token_sealed is not null
            """, [.bytes(grant.codeSealed)])
    }

    package func postpone(_ grant: AppleGrant, seconds: Double) async throws(WorkError) {
        try await write(
            grant,
            """
            update apple_grants set next_attempt_at = clock_timestamp() + make_interval(secs => $5)
            where tenant_id = $1 and user_id = $2 and identity_id = $3 and client_id = $4 and attempts = $6
            """, [.double(seconds), .int4(Int32(clamping: grant.attempts))])
    }

    package func delete(_ grant: AppleGrant) async throws(WorkError) {
        try await write(
            grant,
            """
            delete from apple_grants
            where tenant_id = $1 and user_id = $2 and identity_id = $3 and client_id = $4 and revoke_requested_at is not null
            """, [])
    }

    private func write(_ grant: AppleGrant, _ sql: String, _ parameters: [Parameter]) async throws(WorkError) {
        try await transaction.forWorker(grant.owner).run(
            sql, grant.owner.parameters + [.uuid(grant.identity.uuid), .text(grant.clientID)] + parameters)
    }
}

extension PostgresAppleGrantStore {
    package init(pool: ConnectionPool) { self.init(transaction: OwnerTransaction(pool: pool)) }
}
