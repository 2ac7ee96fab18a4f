package import DiaryCore
import DiaryCrypto
package import FoundationEssentials
import Synchronization

/// The claims cannot be put into a token: times outside the calendar, or a lifetime the policy does not allow.
package struct TokenNotIssued: Error, Sendable, Equatable {}

/// Access tokens as ES256 JWTs with header `{alg, kid, typ: at+jwt}` (RFC 9068).
///
/// Signed and verified with libcrypto; why not with libjwt is told in `LibjwtReading`.
package final class ES256AccessTokens: AccessTokens {
    /// Bytes; ours take about 600.
    package static let maximumBytes = 4096
    private static let type = "at+jwt"

    private let ring: SigningKeyRing
    private let policy: AccessTokenPolicy
    private let cache: VerifiedTokenCache
    private let signatureChecks = Atomic<Int>(0)

    package init(ring: SigningKeyRing, policy: AccessTokenPolicy, cacheCapacity: Int = 10_000) {
        self.ring = ring
        self.policy = policy
        cache = VerifiedTokenCache(capacity: cacheCapacity)
    }

    /// - Throws: `TokenNotIssued`, or `CryptoError` when signing fails.
    package func issue(_ claims: AccessClaims, at now: Date) throws -> String {
        guard let payload = AccessTokenPayload(claims, issuedAt: now, policy: policy) else { throw TokenNotIssued() }
        let header = #"{"alg":"ES256","kid":"\#(ring.currentKeyID)","typ":"\#(Self.type)"}"#
        let signingInput = Base64URL.encode(Array(header.utf8)) + "." + Base64URL.encode(Array(payload.json(policy: policy).utf8))
        return try signingInput + "." + Base64URL.encode(ring.current.sign(Array(signingInput.utf8)))
    }

    package func verify(_ token: String, at now: Date) throws(TokenRefused) -> AccessClaims {
        guard token.utf8.count <= Self.maximumBytes else { throw TokenRefused() }
        let digest = SHA256.digest(Array(token.utf8))
        if let payload = cache.payload(digest) {
            guard payload.isCurrent(at: now, policy: policy) else {
                cache.remove(digest)
                throw TokenRefused()
            }
            return payload.claims
        }
        guard let payload = verified(token), payload.isCurrent(at: now, policy: policy) else { throw TokenRefused() }
        cache.insert(payload, for: digest)
        return payload.claims
    }

    package var jwks: String { ring.jwks }

    /// Signatures looked at so far; the rest came from the cache.
    package var signatureCheckCount: Int { signatureChecks.load(ordering: .relaxed) }

    private func verified(_ token: String) -> AccessTokenPayload? {
        guard let jws = CompactJWS(token, maximumBytes: Self.maximumBytes),
            let key = ring.key(jws.header.keyID),
            jws.header.algorithm.hasSameBytes(as: key.algorithm.rawValue),
            jws.header.type?.hasSameBytes(as: Self.type) == true
        else { return nil }
        signatureChecks.add(1, ordering: .relaxed)
        guard key.isValid(jws.signature, for: jws.signingInput) else { return nil }
        return AccessTokenPayload(parsing: jws.payload, policy: policy)
    }
}
