package import DiaryCore
import DiaryCrypto
package import FoundationEssentials
import Synchronization
import WireFormats

/// The claims cannot be put into a token: times outside the calendar, or a lifetime the policy does not allow.
package struct TokenNotIssued: Error, Sendable, Equatable {}

/// Access tokens as ES256 JWTs with header `{alg, kid, typ: at+jwt}` (RFC 9068).
///
/// Signed and verified with libcrypto; `LibjwtReading` says why not with libjwt.
package final class ES256AccessTokens: AccessTokens {
    /// Bytes; the service's own tokens take about 600.
    package static let maximumBytes = 4096
    private static let type = "at+jwt"

    private let rings: Mutex<SigningKeyRing>
    private let onUnknownKey: @Sendable () -> Void
    private let policy: AccessTokenPolicy
    let cache: VerifiedTokenCache

    /// - Parameter onUnknownKey: called for each token that names a key the ring does not have: a forged id, or a key this process has
    ///   not read yet.
    package init(
        ring: SigningKeyRing, policy: AccessTokenPolicy, cacheCapacity: Int = 10_000, onUnknownKey: @escaping @Sendable () -> Void = {}
    ) {
        rings = Mutex(ring)
        self.onUnknownKey = onUnknownKey
        self.policy = policy
        cache = VerifiedTokenCache(capacity: cacheCapacity)
    }

    /// Signs and verifies with these keys from now on. A token of a removed key is refused at once, even if it was verified before.
    package func use(_ ring: SigningKeyRing) {
        let gone = rings.withLock { rings in
            defer { rings = ring }
            return !rings.keyIDs.isSubset(of: ring.keyIDs)
        }
        if gone { cache.removeAll() }
    }

    private var ring: SigningKeyRing { rings.withLock { $0 } }

    /// - Throws: `TokenNotIssued`, or `CryptoError` when signing fails.
    package func issue(_ claims: AccessClaims, at now: Date) throws -> String {
        guard let payload = AccessTokenPayload(claims, issuedAt: now, policy: policy) else { throw TokenNotIssued() }
        let ring = ring
        let header = #"{"alg":"ES256","kid":"\#(ring.currentKeyID)","typ":"\#(Self.type)"}"#
        let signingInput = Base64URL.encode(Array(header.utf8)) + "." + Base64URL.encode(payload.json(policy: policy))
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
        guard let (payload, keyID) = verified(token), payload.isCurrent(at: now, policy: policy) else { throw TokenRefused() }
        cache.insert(payload, for: digest)
        // The key may have been removed during the verification, and the cache emptied before this insertion.
        guard ring.key(keyID) != nil else {
            cache.remove(digest)
            throw TokenRefused()
        }
        return payload.claims
    }

    package var jwks: String { ring.jwks }

    private func verified(_ token: String) -> (AccessTokenPayload, keyID: String)? {
        guard let jws = CompactJWS(token, maximumBytes: Self.maximumBytes) else { return nil }
        guard let key = ring.key(jws.header.keyID) else {
            onUnknownKey()
            return nil
        }
        guard
            jws.header.algorithm.hasSameBytes(as: key.algorithm.rawValue),
            jws.header.type?.hasSameBytes(as: Self.type) == true
        else { return nil }
        guard key.isValid(jws.signature, for: jws.signingInput) else { return nil }
        return AccessTokenPayload(parsing: jws.payload, policy: policy).map { ($0, jws.header.keyID) }
    }
}
