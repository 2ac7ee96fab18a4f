package import FoundationEssentials

/// An account to be inserted. Address and name are sealed; look-up is by the hash.
package struct NewAccount: Sendable {
    package var owner: Owner
    package var keyID: UUID
    package var emailHash: [UInt8]
    package var emailSealed: [UInt8]
    package var signUp: SignUp
}
