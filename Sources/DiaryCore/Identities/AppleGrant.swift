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
}
