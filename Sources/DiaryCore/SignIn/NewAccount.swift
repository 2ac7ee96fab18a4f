package import FoundationEssentials

/// An account to be inserted. Address and name are sealed; look-up is by the hash.
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
    /// Keyed hash of the network of the client that requested it.
    package var requesterHash: [UInt8]
}

/// The fields of a sign-up, stored with its code: of several sign-ups with one address, those of the one whose code is used apply.
package struct SignUp: Sendable {
    package var passwordPHC: String
    package var nameSealed: [UInt8]?
    package var timeZone: String = "UTC"
    package var locale: String?
}
