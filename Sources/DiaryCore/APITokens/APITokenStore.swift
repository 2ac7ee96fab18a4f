package import FoundationEssentials

/// A member's API tokens, by the database role `diary_api`.
package protocol APITokenStore: Sendable {
    /// Newest first.
    func tokens(of member: Member) async throws(DiaryError) -> [StoredAPIToken]
    /// Writes the token and its event. Needs a fresh proof.
    /// - Returns: nil when the account has as many as it may have.
    func create(
        _ token: NewAPIToken, most: Int, by member: Member, requestID: String?
    ) async throws(DiaryError) -> StoredAPIToken?
    /// Deletes the token and writes the event.
    /// - Returns: false when the member has no such token.
    func revoke(_ token: APITokenID, by member: Member, requestID: String?) async throws(DiaryError) -> Bool
    /// Writes that the token of this request was used now.
    func noteUse(by member: Member) async throws(DiaryError)
}

/// A token to be inserted, its name sealed.
package struct NewAPIToken: Sendable {
    package var id: APITokenID
    package var hash: [UInt8]
    package var nameSealed: [UInt8]
    package var keyID: UUID
    package var scopes: Set<APITokenScope>
    package var days: Int64
}

/// A token as the database holds it. Its scopes here are for lists: the token itself says what it may do.
package struct StoredAPIToken: Sendable, Equatable {
    package var id: APITokenID
    package var nameSealed: [UInt8]
    package var scopes: [APITokenScope]
    package var createdAt: Date
    package var expiresAt: Date
    /// Up to five minutes older than the last use.
    package var lastUsedAt: Date?

    package init(
        id: APITokenID, nameSealed: [UInt8], scopes: [APITokenScope], createdAt: Date, expiresAt: Date, lastUsedAt: Date?
    ) {
        self.id = id
        self.nameSealed = nameSealed
        self.scopes = scopes
        self.createdAt = createdAt
        self.expiresAt = expiresAt
        self.lastUsedAt = lastUsedAt
    }
}
