package import FoundationEssentials

/// A person about to exist. Address and name are sealed; the hash finds them.
package struct NewAccount: Sendable {
    package var owner: Owner
    package var keyID: UUID
    package var emailHash: [UInt8]
    package var emailSealed: [UInt8]
    package var signUp: SignUp
}

/// A mailed code, hashed.
package struct NewCode: Sendable {
    package var id: UUID
    package var hash: [UInt8]
    /// Keyed hash of the sign-up's own secret.
    package var registrationHash: [UInt8]
    package var lifetimeSeconds: Int
    /// Keyed hash of the client's network that asked for it.
    package var askerHash: [UInt8]
}

/// What a sign-up says of its account. It waits beside the code: of several sign-ups with one address the one whose code comes back counts.
package struct SignUp: Sendable {
    package var passwordPHC: String
    package var nameSealed: [UInt8]?
    package var timeZone: String = "UTC"
    package var locale: String?
}
