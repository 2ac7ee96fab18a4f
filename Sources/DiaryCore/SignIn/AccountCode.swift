package import FoundationEssentials

/// A mailed code for an account that exists, hashed. (Codes of a sign-up are `NewCode`.)
package struct AccountCode: Sendable {
    package var id: UUID
    package var purpose: CodePurpose
    package var hash: [UInt8]
    /// Keyed hash of the secret that only the requester was given.
    package var requestHash: [UInt8]
    package var lifetimeSeconds: Int
    /// The address it is mailed to, when that must still be the account's: a code mailed to a former address is refused.
    package var addressHash: [UInt8]?
    /// The address that the code proves, when it is a new one.
    package var newAddress: (hash: [UInt8], sealed: [UInt8])?
}
