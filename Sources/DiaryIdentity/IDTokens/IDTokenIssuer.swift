package import CurlTransfer
package import DiaryCore

/// One provider as this service pins it: nothing here comes from a token or a request.
package struct IDTokenIssuer: Sendable {
    package let provider: IdentityProvider
    /// Spellings that `iss` may have. An identity is stored under the first: (tenant, issuer, subject).
    package let issuers: [String]
    package let jwksURL: String
    /// Apple only.
    package let tokenURL: String?
    package let revocationURL: String?
    /// Named by the operator, so its host may have a private address.
    package let isLocal: Bool

    /// RS256 is what both sign ID tokens with (their discovery documents, `id_token_signing_alg_values_supported`).
    var algorithm: SignatureAlgorithm { .rs256 }
    package var name: String { issuers.first ?? "" }

    /// Sources: developer.apple.com, "Verifying a user" and "Fetch Apple's public key for verifying token signature".
    package static let apple = IDTokenIssuer(
        provider: .apple, issuers: ["https://appleid.apple.com"], jwksURL: "https://appleid.apple.com/auth/keys",
        tokenURL: "https://appleid.apple.com/auth/token", revocationURL: "https://appleid.apple.com/auth/revoke",
        isLocal: false)

    /// Source: developers.google.com, "Verify the Google ID token on your server side": both spellings of `iss` occur.
    package static let google = IDTokenIssuer(
        provider: .google, issuers: ["https://accounts.google.com", "accounts.google.com"],
        jwksURL: "https://www.googleapis.com/oauth2/v3/certs", tokenURL: nil, revocationURL: nil, isLocal: false)

    /// The operator's own issuer in place of one of them, for development and tests.
    /// - Parameter base: without a trailing slash; it is the `iss`, and `/keys`, `/token` and `/revoke` are below it.
    package static func local(_ provider: IdentityProvider, base: String) -> IDTokenIssuer {
        IDTokenIssuer(
            provider: provider, issuers: [base], jwksURL: base + "/keys", tokenURL: provider == .apple ? base + "/token" : nil,
            revocationURL: provider == .apple ? base + "/revoke" : nil, isLocal: true)
    }

    func isNamed(_ issuer: String) -> Bool { issuers.contains { $0.hasSameBytes(as: issuer) } }
}

extension IDTokenIssuer {
    /// The only hosts that requests for this issuer go to.
    package var hosts: Set<AllowedHost> {
        Set([jwksURL, tokenURL, revocationURL].compactMap { $0 }.compactMap { AllowedHost(of: $0, mayBePrivate: isLocal) })
    }
}
