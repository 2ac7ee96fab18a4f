/// An Apple authorization code to be kept for the worker.
package struct NewAppleGrant: Sendable {
    package var clientID: String
    package var codeSealed: [UInt8]
}

/// An identity about to be somebody's.
package struct NewIdentity: Sendable {
    package var id: IdentityID
    package var subjectSealed: [UInt8]
    package var addressSealed: [UInt8]?
    package var provesAddress: Bool
}

/// What a known identity's provider says differently from last time.
package struct IdentityNews: Sendable, Equatable {
    package var addressSealed: [UInt8]?
    package var provesAddress: Bool
    /// The account's address follows the provider; nil leaves it.
    package var accountAddressSealed: [UInt8]?
    /// The account's address that this was read against; once it is another one, nothing of this is written.
    package var readAgainst: [UInt8]?
}
