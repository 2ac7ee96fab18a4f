import DiaryCrypto
package import FoundationEssentials
import WireFormats

/// Verifies one provider's ID tokens.
package struct IDTokenVerifier: Sendable {
    private let issuer: IDTokenIssuer
    private let signature: ProviderSignature
    private let policy: IDTokenPolicy

    package init(issuer: IDTokenIssuer, keys: JWKSCache, policy: IDTokenPolicy = IDTokenPolicy()) {
        self.issuer = issuer
        self.policy = policy
        signature = ProviderSignature(issuer: issuer, keys: keys)
    }

    /// Checks that the token answers the challenge `nonce`. The caller ensures that a challenge is used once (B4).
    ///
    /// - Parameter nonce: as it was issued. The token may hold it raw or as the lower-case hex of its SHA-256, which is what
    ///   apps pass to the providers' SDKs so that these do not see the challenge.
    /// - Parameter audiences: the tenant's client ids; with none, every token is refused.
    package func verify(
        _ idToken: String, nonce: String, audiences: Set<String>, at now: Date
    ) async throws(IDTokenFailure) -> IDTokenClaims {
        let payload = try await payload(of: idToken, audiences)
        guard let claims = payload.claims(issuer, audiences: audiences, policy: policy, now: now),
            let given = payload.nonce, Self.answers(given, nonce)
        else { throw .refused }
        return claims
    }

    /// The ID token that Apple's token endpoint returned for an authorization code: the same checks without the nonce,
    /// because the token comes from the endpoint over TLS. The caller compares its subject with the one the client signed in as: another
    /// subject means that the code belongs to another user.
    package func verifyExchanged(
        _ idToken: String, audience: String, at now: Date
    ) async throws(IDTokenFailure) -> IDTokenClaims {
        guard let exchanged = try await payload(of: idToken, [audience]).claims(issuer, audiences: [audience], policy: policy, now: now)
        else {
            throw .refused
        }
        return exchanged
    }

    private func payload(of idToken: String, _ audiences: Set<String>) async throws(IDTokenFailure) -> IDTokenPayload {
        guard let payload = IDTokenPayload(try await signature.payload(of: idToken, audiences: audiences)) else { throw .refused }
        return payload
    }

    private static func answers(_ given: String, _ nonce: String) -> Bool {
        guard nonce.utf8.count >= 16 else { return false }
        let hashed = Hex.encode(SHA256.digest(Array(nonce.utf8)))
        let isRaw = ConstantTime.equal(Array(given.utf8), Array(nonce.utf8))
        let isHashed = ConstantTime.equal(Array(given.utf8), Array(hashed.utf8))
        return isRaw || isHashed
    }
}

extension IDTokenClaims {
    /// False when the token names another authorization code (`c_hash`, OpenID Connect Core section 3.3.2.11).
    package func permits(authorizationCode: String) -> Bool {
        guard let codeHash else { return true }
        return Base64URL.encode(Array(SHA256.digest(Array(authorizationCode.utf8)).prefix(16))).hasSameBytes(as: codeHash)
    }
}

/// Limits for the times of a provider's tokens, in seconds.
package struct IDTokenPolicy: Sendable {
    /// The difference allowed to another machine's clock.
    package var leeway: Int64 = 60
    /// From `iat` to now. A token answers a challenge of this service, so it is never older than a challenge (10 minutes).
    package var maximumAge: Int64 = 10 * 60
    /// From `iat` to `exp`. Google's tokens last an hour, Apple's a day.
    package var maximumLifetime: Int64 = 24 * 60 * 60
}

/// Why a sign-in failed.
package enum IDTokenFailure: Error, Sendable, Hashable {
    /// Forged, damaged, expired, for another audience or another sign-in; the client does not learn which.
    case refused
    /// The provider's keys were never fetched, or too long ago. Says nothing about the token.
    case keysUnavailable
    /// The provider may have this key since the last fetch; the next one is allowed after so many seconds.
    case keyNotFetched(seconds: Int)
}
