/// What a member can authenticate again with.
package struct MemberCredentials: Sendable {
    package var passwordPHC: String?
    /// nil when the account has none.
    package var emailSealed: [UInt8]?
    /// nil when the account has none.
    package var nameSealed: [UInt8]?
    package var addressIsProved: Bool
    /// Whether this session is fresh.
    package var isFresh: Bool

    package init(passwordPHC: String?, emailSealed: [UInt8]?, nameSealed: [UInt8]?, addressIsProved: Bool, isFresh: Bool) {
        self.passwordPHC = passwordPHC
        self.emailSealed = emailSealed
        self.nameSealed = nameSealed
        self.addressIsProved = addressIsProved
        self.isFresh = isFresh
    }
}
