package import FoundationEssentials

package protocol ProviderTokens: Sendable {
    /// The caller checks that the nonce is valid and is used once.
    /// - Parameter audiences: the app's client ids.
    /// - Throws: `token_refused` for every fault of the token, `dependency_unavailable` when the provider's keys cannot be fetched.
    func claims(of answer: ProviderAnswer, audiences: Set<String>, at now: Date) async throws(DiaryError) -> ProviderClaims
}

/// External identity providers. The raw value is stored.
package enum IdentityProvider: String, Sendable, Hashable, CaseIterable {
    case apple
    case google
}

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

/// What a client sends to sign in by a provider.
package struct ProviderAnswer: Sendable {
    package var provider: IdentityProvider
    package var idToken: String
    /// The nonce of the challenge.
    package var nonce: String
    /// Apple's: exchanged later for the token by which the sign-in can be revoked.
    package var authorizationCode: String?

    package init(provider: IdentityProvider, idToken: String, nonce: String, authorizationCode: String?) {
        self.provider = provider
        self.idToken = idToken
        self.nonce = nonce
        self.authorizationCode = authorizationCode
    }
}

extension ProviderAnswer: CustomStringConvertible, CustomReflectable {
    package var description: String { "<provider answer>" }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
