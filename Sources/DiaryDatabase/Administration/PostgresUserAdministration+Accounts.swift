package import DiaryCore
import FoundationEssentials
import PostgresClient

extension PostgresUserAdministration {
    /// An account whose data key is in the key database.
    /// - Returns: false, and nothing written, when the address has an account.
    package func create(_ account: AdministeredAccount, by operator: String) async throws(DiaryError) -> Bool {
        do {
            try await pool.forClient.send([
                Statement(
                    "select admin_create_user($1, $2, $3, $4, $5, $6, $7, $8, $9)",
                    account.owner.parameters + [
                        .uuid(account.keyID), .bytes(account.addressHash), .bytes(account.addressSealed), .bytes(account.nameSealed),
                        .text(account.passwordPHC), .text(account.timeZone), .text(`operator`),
                    ])
            ])
            return true
        } catch {
            if error.kind == .constraint("identities_pk") { return false }
            throw error.forClient
        }
    }

    /// Newest first.
    package func tokens(of owner: Owner) async throws(DiaryError) -> [APITokenOverview] {
        try await pool.forClient.all(
            "select id, scopes, created_at, expires_at, last_used_at from admin_api_tokens($1, $2)", owner.parameters
        ) { row in
            APITokenOverview(
                id: APITokenID(try row.uuid()), scopes: try row.texts(), createdAt: try row.date(), expiresAt: try row.date(),
                lastUsedAt: try row.dateOrNil())
        }
    }

    /// - Parameter token: nil is all of them.
    /// - Returns: how many ended.
    package func revokeTokens(_ owner: Owner, _ token: APITokenID?, by operator: String) async throws(DiaryError) -> Int {
        try await pool.forClient.one(
            "select admin_revoke_api_tokens($1, $2, $3, $4)", owner.parameters + [.uuid(token?.uuid), .text(`operator`)]
        ) { try $0.count() } ?? 0
    }
}
