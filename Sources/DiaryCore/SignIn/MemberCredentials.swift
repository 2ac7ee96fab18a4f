/// How a member can prove who they are.
package struct MemberCredentials: Sendable {
    package var passwordPHC: String?
    /// nil when the account has none.
    package var emailSealed: [UInt8]?
    package var addressIsProved: Bool
    /// Whether this session proved who it is less than the asked time ago.
    package var isFresh: Bool

    package init(passwordPHC: String?, emailSealed: [UInt8]?, addressIsProved: Bool, isFresh: Bool) {
        self.passwordPHC = passwordPHC
        self.emailSealed = emailSealed
        self.addressIsProved = addressIsProved
        self.isFresh = isFresh
    }
}
