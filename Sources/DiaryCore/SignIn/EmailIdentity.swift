package import FoundationEssentials

/// What sign-in needs to know of an address.
package struct EmailIdentity: Sendable {
    package var owner: Owner
    package var keyID: UUID
    package var passwordPHC: String?
    package var verified: Bool
    package var emailSealed: [UInt8]
    /// By an administrator: no way in works.
    package var disabled: Bool

    package init(owner: Owner, keyID: UUID, passwordPHC: String?, verified: Bool, emailSealed: [UInt8], disabled: Bool = false) {
        self.owner = owner
        self.keyID = keyID
        self.passwordPHC = passwordPHC
        self.verified = verified
        self.emailSealed = emailSealed
        self.disabled = disabled
    }
}
