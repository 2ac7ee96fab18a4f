import DiaryCore
import DiaryCrypto
import FoundationEssentials
import Testing
import WireFormats

@testable import DiaryIdentity

@Suite("Access tokens")
struct AccessTokenTests {
    @Test("what was issued is verified, with exactly the header of decision D7")
    func roundTrip() throws {
        let forge = try TokenForge()

        let token = try forge.tokens.issue(TokenForge.claims, at: TokenForge.now)

        let head = Base64URL.decode(String(token.prefix { $0 != "." })) ?? []
        #expect(String(decoding: head, as: UTF8.self) == forge.header)
        #expect(token.utf8.count < 800)
        #expect(try forge.tokens.verify(token, at: TokenForge.now) == TokenForge.claims)
    }

    @Test("a signature is checked once per process, whatever the number of requests")
    func cached() throws {
        let forge = try TokenForge()
        let token = try forge.tokens.issue(TokenForge.claims, at: TokenForge.now)

        _ = try forge.tokens.verify(token, at: TokenForge.now)

        let kept = try #require(forge.tokens.cache.payload(SHA256.digest(Array(token.utf8))))
        #expect(kept.claims == TokenForge.claims)
        // What is kept passes unchecked: also a token that no key has signed.
        let unsigned = "no token"
        forge.tokens.cache.insert(kept, for: SHA256.digest(Array(unsigned.utf8)))
        for _ in 0..<50 { #expect(try forge.tokens.verify(unsigned, at: TokenForge.now) == TokenForge.claims) }
    }

    @Test("A15: a token lives until exp and 60 seconds more, cached or not", arguments: [false, true])
    func expiry(cached: Bool) throws {
        let forge = try TokenForge()
        let token = try forge.tokens.issue(TokenForge.claims, at: TokenForge.now)
        if cached { _ = try forge.tokens.verify(token, at: TokenForge.now) }

        #expect(try forge.tokens.verify(token, at: TokenForge.now.addingTimeInterval(959)) == TokenForge.claims)
        #expect(throws: TokenRefused()) { try forge.tokens.verify(token, at: TokenForge.now.addingTimeInterval(960)) }
    }

    @Test("A15: a token from a clock at most 60 seconds ahead is accepted")
    func future() throws {
        let forge = try TokenForge()
        let token = try forge.tokens.issue(TokenForge.claims, at: TokenForge.now)

        #expect(throws: TokenRefused()) { try forge.tokens.verify(token, at: TokenForge.now.addingTimeInterval(-61)) }
        #expect(try forge.tokens.verify(token, at: TokenForge.now.addingTimeInterval(-60)) == TokenForge.claims)
        #expect(throws: TokenRefused(), "also when it is in the cache") {
            try forge.tokens.verify(token, at: TokenForge.now.addingTimeInterval(-61))
        }
    }

    @Test("after a rotation the old key still verifies and the new one signs; a ring without it refuses")
    func rotation() throws {
        let forge = try TokenForge()
        let token = try forge.tokens.issue(TokenForge.claims, at: TokenForge.now)
        let next = try P256PrivateKey.generate()

        let rotated = ES256AccessTokens(
            ring: SigningKeyRing(current: next, verifying: [forge.key.publicKey]), policy: TokenForge.policy)
        let finished = ES256AccessTokens(ring: SigningKeyRing(current: next), policy: TokenForge.policy)

        #expect(try rotated.verify(token, at: TokenForge.now) == TokenForge.claims)
        #expect(try finished.verify(rotated.issue(TokenForge.claims, at: TokenForge.now), at: TokenForge.now) == TokenForge.claims)
        #expect(throws: TokenRefused()) { try finished.verify(token, at: TokenForge.now) }
    }

    @Test("a token is accepted when one of its audiences is the service")
    func audiences() throws {
        let forge = try TokenForge()
        let token = try forge.signed(forge.header, TokenForge.payload("aud", #"["web","diary-api"]"#))

        #expect(try forge.tokens.verify(token, at: TokenForge.now) == TokenForge.claims)
    }

    @Test(
        "times outside the calendar and endless lifetimes are not issued, and do not trap",
        arguments: [
            Double.infinity, -.infinity, .nan, 1e300, -1e300, 0, 1_800_000_000, 1_800_086_401,
        ])
    func notIssued(expiry: Double) throws {
        let forge = try TokenForge()
        var claims = TokenForge.claims
        claims.expiresAt = Date(timeIntervalSince1970: expiry)

        #expect(throws: TokenNotIssued()) { try forge.tokens.issue(claims, at: TokenForge.now) }
        #expect(throws: TokenRefused()) { try forge.tokens.verify(forge.good, at: claims.expiresAt.addingTimeInterval(1e6)) }
    }

    @Test("the JWK set holds every verifying key, the current one first, and reads back as one")
    func jwks() throws {
        let forge = try TokenForge()
        let ring = SigningKeyRing(current: forge.key, verifying: [forge.otherKey.publicKey])
        let tokens = ES256AccessTokens(ring: ring, policy: TokenForge.policy)

        let set = try JWKSet(parsing: Array(tokens.jwks.utf8))

        #expect(set.keyIDs == [forge.keyID, forge.otherKeyID])
        #expect(tokens.jwks.hasPrefix(#"{"keys":[{"kty":"EC","crv":"P-256","x":"#))
        #expect(!tokens.jwks.contains(#""d""#))
        let token = try tokens.issue(TokenForge.claims, at: TokenForge.now)
        let jws = try #require(CompactJWS(token, maximumBytes: ES256AccessTokens.maximumBytes))
        #expect(set.keys[jws.header.keyID]?.isValid(jws.signature, for: jws.signingInput) == true)
    }

    @Test("a key id is the RFC 7638 thumbprint")
    func thumbprint() throws {
        // Key of RFC 7517 appendix A.1; its thumbprint computed with Python's hashlib.
        let x = try #require(Base64URL.decode("MKBCTNIcKUSDii11ySs3526iDZ8AiTo7Tu6KPAqv7D4"))
        let y = try #require(Base64URL.decode("4Etl6SRW2YiLUrN5vfvVHuhp7x8PxltmWWlbbM4IFyM"))

        #expect(try SigningKeyRing.keyID(of: P256PublicKey(x: x, y: y)) == "cn-I_WNMClehiVp51i_0VpOENW1upEerA8sEam5hn-s")
    }

    @Test("the cache stays within its bound and keeps what is in use")
    func bounded() throws {
        let cache = VerifiedTokenCache(capacity: 100)
        let payload = try #require(AccessTokenPayload(TokenForge.claims, issuedAt: TokenForge.now, policy: TokenForge.policy))
        cache.insert(payload, for: [0])

        for number in 1...10_000 {
            cache.insert(payload, for: SHA256.digest(Array("\(number)".utf8)))
            #expect(cache.payload([0]) != nil)
        }

        #expect(cache.payload(SHA256.digest(Array("1".utf8))) == nil)
        // Each is asked for at a cache of its own, as asking changes which are kept.
        let kept = (0..<UInt8(200)).count { asked in
            let cache = VerifiedTokenCache(capacity: 20)
            for number in 0..<UInt8(200) { cache.insert(payload, for: [number]) }
            return cache.payload([asked]) != nil
        }
        #expect((10...20).contains(kept))
    }

    @Test("many threads at once get the right claims")
    func concurrent() async throws {
        let forge = try TokenForge()
        let tokens = ES256AccessTokens(ring: forge.ring, policy: TokenForge.policy, cacheCapacity: 8)
        let issued = try (0..<32).map { _ in
            let claims = AccessClaims(
                tenant: TenantID(UUID()), user: UserID(UUID()), session: SessionID(UUID()), expiresAt: TokenForge.claims.expiresAt)
            return (claims, try tokens.issue(claims, at: TokenForge.now))
        }

        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    for (claims, token) in issued {
                        let found = try tokens.verify(token, at: TokenForge.now)
                        #expect(found == claims)
                    }
                }
            }
            try await group.waitForAll()
        }
    }
}
