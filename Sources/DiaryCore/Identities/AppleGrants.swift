package import FoundationEssentials

/// A grant that was claimed to be worked on.
package struct AppleGrant: Sendable {
    package var owner: Owner
    package var identity: IdentityID
    package var clientID: String
    package var subjectHash: [UInt8]
    package var codeSealed: [UInt8]?
    package var codeAt: Date?
    package var tokenSealed: [UInt8]?
    package var revokeRequestedAt: Date?
    /// Times it was claimed since something was last to be done anew.
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

/// What the worker does with grants, as `diary_worker`.
package protocol AppleGrantStore: Sendable {
    /// Those with something to do, each for this caller alone for a minute.
    func claim(limit: Int) async throws(WorkError) -> [AppleGrant]
    /// The code became a token. Nothing happens when a newer code has come meanwhile.
    func keep(_ tokenSealed: [UInt8], for grant: AppleGrant) async throws(WorkError)
    /// The code is of no use: gone, and the grant with it unless it has a token.
    func dropCode(of grant: AppleGrant) async throws(WorkError)
    func postpone(_ grant: AppleGrant, seconds: Double) async throws(WorkError)
    /// Revoked, or given up.
    func forget(_ grant: AppleGrant) async throws(WorkError)
}
