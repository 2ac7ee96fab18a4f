package import FoundationEssentials

/// A grant that a worker has claimed.
package struct AppleGrant: Sendable {
    package var owner: Owner
    package var identity: IdentityID
    package var clientID: String
    package var subjectHash: [UInt8]
    package var codeSealed: [UInt8]?
    package var codeAt: Date?
    package var tokenSealed: [UInt8]?
    package var revokeRequestedAt: Date?
    /// How many times it was claimed since the last new code or revocation.
    package var attempts: Int

    package init(
        owner: Owner, identity: IdentityID, clientID: String, subjectHash: [UInt8], codeSealed: [UInt8]?, codeAt: Date?,
        tokenSealed: [UInt8]?, revokeRequestedAt: Date?, attempts: Int
    ) {
        self.owner = owner
        self.identity = identity
        self.clientID = clientID
        self.subjectHash = subjectHash
        self.codeSealed = codeSealed
        self.codeAt = codeAt
        self.tokenSealed = tokenSealed
        self.revokeRequestedAt = revokeRequestedAt
        self.attempts = attempts
    }
}

/// Apple grants, as `diary_worker`.
package protocol AppleGrantStore: Sendable {
    /// Claims grants with a code to exchange or a token to revoke, each exclusively for a minute.
    func claim(limit: Int) async throws(WorkError) -> [AppleGrant]
    /// Stores the token that the code was exchanged for. Does nothing when a newer code has arrived meanwhile.
    func keep(_ tokenSealed: [UInt8], for grant: AppleGrant) async throws(WorkError)
    /// Deletes a code that cannot be exchanged, and the grant with it unless it has a token.
    func dropCode(of grant: AppleGrant) async throws(WorkError)
    func postpone(_ grant: AppleGrant, seconds: Double) async throws(WorkError)
    /// Deletes a grant that was revoked, or whose revocation failed permanently.
    func forget(_ grant: AppleGrant) async throws(WorkError)
}
