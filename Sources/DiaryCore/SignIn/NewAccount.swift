package import FoundationEssentials

/// An account to be inserted. Address and name are sealed; look-up is by the hash.
package struct NewAccount: Sendable {
    package var owner: Owner
    package var keyID: UUID
    package var emailHash: [UInt8]
    package var emailSealed: [UInt8]
    package var signUp: SignUp
}

/// The fields of a sign-up, stored with its code: of several sign-ups with one address, those of the one whose code is used apply.
package struct SignUp: Sendable {
    package var passwordPHC: String
    package var nameSealed: [UInt8]?
    package var timeZone: String = "UTC"
    package var locale: String?
}
