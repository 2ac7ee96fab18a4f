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
