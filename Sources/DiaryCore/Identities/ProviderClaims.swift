/// What an ID token states of its user, after every check of the token has passed.
package struct ProviderClaims: Sendable, Equatable {
    package var provider: IdentityProvider
    /// Together with the provider this is the identity; the address never is.
    package var subject: String
    /// Which of the app's client ids the token was made for.
    package var audience: String
    /// nil when the token has none, or none that mail can be sent to.
    package var address: MailAddress?
    /// The provider runs the mailbox, so the user owns the address today.
    package var ownsAddress: Bool

    package init(provider: IdentityProvider, subject: String, audience: String, address: MailAddress?, ownsAddress: Bool) {
        self.provider = provider
        self.subject = subject
        self.audience = audience
        self.address = address
        self.ownsAddress = ownsAddress && address != nil
    }
}

extension ProviderClaims: CustomStringConvertible, CustomReflectable {
    package var description: String { "<provider claims>" }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
