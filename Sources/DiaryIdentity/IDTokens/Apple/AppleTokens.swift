package import DiaryCrypto

/// Apple's tokens for an authorization code.
package struct AppleTokens: Sendable {
    /// Stored sealed, only to be revoked when the account is deleted.
    package let refreshToken: SecretBytes
    /// To be compared with the token the client sent (`IDTokenVerifier.verifyExchanged`).
    package let idToken: String?
}
