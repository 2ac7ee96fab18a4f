package import DiaryCore
import FoundationEssentials
package import PostgresClient

/// Apple's grants, by the database role `diary_worker`: claimed across users, then written in a transaction of the grant's owner.
package struct PostgresAppleGrantStore: AppleGrantStore {
    let transaction: OwnerTransaction

    package func claim(limit: Int) async throws(WorkError) -> [AppleGrant] {
        do {
            let rows = try await transaction.pool.run([
                Statement("select * from claim_apple_grants($1)", [.int4(Int32(clamping: limit))])
            ])
            var grants: [AppleGrant] = []
            for row in rows[0] {
                grants.append(
                    AppleGrant(
                        owner: Owner(tenant: TenantID(try row.uuid(0)), user: UserID(try row.uuid(1))),
                        identity: IdentityID(try row.uuid(2)), clientID: try row.text(3), subjectHash: try row.bytes(4),
                        codeSealed: try row.bytesOrNil(5), codeAt: try row.dateOrNil(6), tokenSealed: try row.bytesOrNil(7),
                        revokeRequestedAt: try row.dateOrNil(8), attempts: Int(clamping: try row.int(9))))
            }
            return grants
        } catch {
            throw error.forWorker
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
        do {
            _ = try await transaction.run(
                grant.owner,
                [Statement(sql, grant.owner.parameters + [.uuid(grant.identity.uuid), .text(grant.clientID)] + parameters)])
        } catch {
            throw error.forWorker
        }
    }
}

extension PostgresAppleGrantStore {
    package init(pool: ConnectionPool) { self.init(transaction: OwnerTransaction(pool: pool)) }
}
