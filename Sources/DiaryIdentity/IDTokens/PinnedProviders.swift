package import DiaryCore
package import FoundationEssentials

/// Apple and Google as this process pins them, each with its own keys.
package struct PinnedProviders: ProviderTokens, AppleNotificationReading {
    private let apple: IDTokenVerifier
    private let google: IDTokenVerifier
    private let notifications: AppleNotificationVerifier

    package init(apple: IDTokenIssuer, google: IDTokenIssuer, source: any JWKSSource) {
        let appleKeys = JWKSCache(issuer: apple, source: source)
        self.apple = IDTokenVerifier(issuer: apple, keys: appleKeys)
        self.google = IDTokenVerifier(issuer: google, keys: JWKSCache(issuer: google, source: source))
        notifications = AppleNotificationVerifier(issuer: apple, keys: appleKeys)
    }

    package func claims(of answer: ProviderAnswer, audiences: Set<String>, at now: Date) async throws(DiaryError) -> ProviderClaims {
        let verifier = answer.provider == .apple ? apple : google
        let claims: IDTokenClaims
        do {
            claims = try await verifier.verify(answer.idToken, nonce: answer.nonce, audiences: audiences, at: now)
        } catch {
            throw error.forClient
        }
        if let code = answer.authorizationCode, !claims.permits(authorizationCode: code) { throw IDTokenFailure.refused.forClient }
        return ProviderClaims(
            provider: claims.provider, subject: claims.subject, audience: claims.audience, address: claims.address,
            ownsAddress: claims.isAuthoritativeForAddress)
    }

    package func notification(_ token: String, audiences: Set<String>, at now: Date) async throws(DiaryError) -> AppleNotification {
        do { return try await notifications.read(token, audiences: audiences, at: now) } catch { throw error.forClient }
    }
}

extension IDTokenFailure {
    var forClient: DiaryError {
        switch self {
        case .refused: DiaryError(.tokenRefused)
        case .keysUnavailable: .unavailable(cause: "the provider's keys are out of reach")
        case .keyNotFetched(let seconds):
            DiaryError(.unavailable, retryAfter: seconds, cause: "the token names a key that was not fetched yet")
        }
    }
}
