package import FoundationEssentials

/// What a client hands over to sign in by a provider.
package struct ProviderAnswer: Sendable {
    package var provider: IdentityProvider
    package var idToken: String
    /// As the challenge gave it.
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

/// Who a provider says it is, after every check of the token has passed.
package struct ProviderClaims: Sendable, Equatable {
    package var provider: IdentityProvider
    /// With the provider it is the identity; the address never is.
    package var subject: String
    /// Which of the app's client ids the token was made for.
    package var audience: String
    /// nil when none was given, or none that mail can be sent to.
    package var address: MailAddress?
    /// The provider runs the mailbox: this person owns the address today.
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

package protocol ProviderTokens: Sendable {
    /// That the nonce is alive, and used once, is the caller's to hold.
    /// - Parameter audiences: the app's client ids.
    /// - Throws: `token_refused` for whatever is wrong with the token, `dependency_unavailable` when the provider's keys are out of reach.
    func claims(of answer: ProviderAnswer, audiences: Set<String>, at now: Date) async throws(DiaryError) -> ProviderClaims
}

package protocol AppleNotificationReading: Sendable {
    /// - Parameter audiences: the client ids of all apps; the notification's own tells which.
    /// - Throws: as `ProviderTokens`.
    func notification(_ token: String, audiences: Set<String>, at now: Date) async throws(DiaryError) -> AppleNotification
}
