package import FoundationEssentials

/// The data of an address that sign-in needs.
package struct EmailIdentity: Sendable {
    package var owner: Owner
    package var keyID: UUID
    package var passwordPHC: String?
    package var verified: Bool
    package var emailSealed: [UInt8]
    /// Disabled by an administrator: every sign-in is refused.
    package var disabled: Bool = false

    package init(owner: Owner, keyID: UUID, passwordPHC: String?, verified: Bool, emailSealed: [UInt8], disabled: Bool = false) {
        self.owner = owner
        self.keyID = keyID
        self.passwordPHC = passwordPHC
        self.verified = verified
        self.emailSealed = emailSealed
        self.disabled = disabled
    }
}
