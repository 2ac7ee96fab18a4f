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
