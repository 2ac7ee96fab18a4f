import DiaryCore
import DiaryCrypto
import FoundationEssentials
import TestSupport
import Testing
import WireFormats

@testable import DiaryIdentity

@Suite("B2: ID tokens")
struct IDTokenVerifierTests {
    @Test("B2: every forged token is refused", arguments: IdentityProvider.allCases)
    func forged(provider: IdentityProvider) async throws {
        let forge = try IDTokenForge(provider)
        let list = ForgedIDToken.all(provider)
        _ = try await forge.verify(forge.good)

        for token in list {
            let text = try token.make(forge)
            if token.namesUnknownKey {
                forge.clock.advance(.milliseconds(30_500))
                await #expect(throws: IDTokenFailure.keyNotFetched(seconds: 30), "\(token.testDescription)") {
                    try await forge.verify(text)
                }
                // The next fetch is allowed, and does not bring the key.
                forge.clock.advance(.milliseconds(29_500))
            }
            await #expect(throws: IDTokenFailure.refused, "\(token.testDescription)") { try await forge.verify(text) }
        }

        #expect(Set(list.map(\.testDescription)).count == list.count && list.count >= 40)
        let unknown = list.filter(\.namesUnknownKey).count
        #expect(unknown == 5 && forge.source.fetches == 1 + unknown)
        print("B2: \(list.count) forged ID tokens of \(provider.rawValue), 0 accepted")
    }

    @Test("the claims of Apple's token are read")
    func apple() async throws {
        let forge = try IDTokenForge(.apple)

        let claims = try await forge.verify(forge.good)

        #expect(claims.provider == .apple && claims.issuer == "https://appleid.apple.com")
        #expect(claims.subject == "001234.0123456789abcdef0123456789abcdef.0456" && claims.audience == "com.example.diary")
        #expect(claims.address?.text == "x7k2p9@privaterelay.appleid.com" && claims.isAddressVerified && claims.isPrivateRelay)
        #expect(claims.realUser == .likelyReal && claims.hostedDomain == nil && claims.isAuthoritativeForAddress)
        #expect(claims.issuedAt.timeIntervalSince1970 == 1_799_999_990 && claims.expiresAt.timeIntervalSince1970 == 1_800_086_390)
        #expect("\(claims)" == "<ID token claims>" && !String(reflecting: claims).contains("001234"))
    }

    @Test(
        "Google's token says what it says; both spellings of its name are one issuer",
        arguments: ["https://accounts.google.com", "accounts.google.com"])
    func google(name: String) async throws {
        let forge = try IDTokenForge(.google)

        let claims = try await forge.verify(forge.claiming("iss", "\"\(name)\""))

        #expect(claims.provider == .google && claims.issuer == "https://accounts.google.com")
        #expect(claims.subject == "110169484474386276334" && claims.hostedDomain == "example.org")
        #expect(claims.address?.text == "orchard@example.org" && claims.isAddressVerified && !claims.isPrivateRelay)
    }

    @Test(
        "is taken all the same",
        arguments: [
            ("aud", #"["com.example.diary"]"#), ("aud", #""com.example.diary.web""#), ("email", nil), ("email_verified", nil),
            ("email_verified", "false"), ("email_verified", #""false""#), ("is_private_email", "true"), ("hd", nil), ("azp", nil),
            ("iat", "1800000060"), ("iat", "1799999340"), ("exp", "1799999991"), ("nbf", "1800000060"), ("nbf", "0"),
            ("real_user_status", "9"),
            ("email", #""no address""#), ("unknown_claim", #"{"a":[1,2]}"#),
        ] as [(String, String?)])
    func tolerated(name: String, value: String?) async throws {
        for provider in IdentityProvider.allCases {
            let forge = try IDTokenForge(provider)
            // An hour for both, so that an early `iat` does not make the lifetime too long.
            let payload = forge.payload(name, value).replacing("1800086390", with: "1800003590")
            _ = try await forge.verify(forge.signed(IDTokenForge.header, payload))
        }
    }

    @Test(
        "what nothing depends on may be null, empty or of another type, and is then as absent",
        arguments: [
            ("email", ["7", "null", "true", #""""#, #"["a@example.org"]"#, #"{"a@example.org":true}"#]),
            ("email_verified", ["1", "null", #""""#, #""yes""#, #""True""#, #""true ""#, #"["true"]"#, #"{"true":true}"#]),
            ("is_private_email", ["0", "1", "null", #""""#, #""True""#, "[true]"]),
            ("hd", ["true", "7", "null", #""""#, #"["example.org"]"#, #"{"example.org":true}"#]),
            ("real_user_status", [#""2""#, "null", "true", #""""#, "[2]"]),
            ("c_hash", ["null", #""""#]), ("azp", ["null", #""""#]), ("nbf", ["null", #""""#]),
        ] as [(String, [String])])
    func ignored(name: String, values: [String]) async throws {
        for provider in IdentityProvider.allCases {
            let forge = try IDTokenForge(provider)
            var expected = try await forge.verify(forge.good)
            #expect(expected.isAuthoritativeForAddress)
            switch name {
            case "email": (expected.address, expected.isAddressVerified) = (nil, false)
            case "email_verified": expected.isAddressVerified = false
            case "is_private_email": expected.isPrivateRelay = false
            case "hd": expected.hostedDomain = nil
            case "real_user_status": expected.realUser = nil
            case "c_hash": expected.codeHash = nil
            default: break
            }
            let isOwner = name != "email" && name != "email_verified" && (name != "hd" || provider == .apple)

            for value in [nil] + values.map(Optional.some) {
                let claims = try await forge.verify(forge.claiming(name, value))
                #expect(claims == expected, "\(name) \(value ?? "left out") of \(provider)")
                #expect(claims.isAuthoritativeForAddress == isOwner, "\(name) \(value ?? "left out") of \(provider)")
            }
        }
    }

    @Test(
        "between two fetches a token of an unknown key is to come again, one for others is refused; no request more is made",
        arguments: IdentityProvider.allCases)
    func newKey(provider: IdentityProvider) async throws {
        let forge = try IDTokenForge(provider)
        let header = #"{"alg":"RS256","kid":"2026-12-a"}"#
        let other = provider == .apple ? "https://accounts.google.com" : "https://appleid.apple.com"
        let token = try forge.signed(header, by: forge.otherKey)
        _ = try await forge.verify(forge.good)
        forge.clock.advance(.milliseconds(30_500))

        let wrong: [(String, String?)] = [
            ("iss", nil), ("iss", "null"), ("iss", "7"), ("iss", #""\#(other)""#), ("iss", #""https://evil.example""#),
            ("iss", #""\#(forge.issuer.name)/""#), ("iss", #"["\#(forge.issuer.name)"]"#),
            ("aud", nil), ("aud", "null"), ("aud", "7"), ("aud", #""""#), ("aud", "[]"), ("aud", #""com.example.other""#),
            ("aud", #""com.example.Diary""#), ("aud", #"["com.example.other"]"#), ("aud", #"{"com.example.diary":1}"#),
        ]
        var payloads = wrong.map { name, value in forge.payload(name, value) }
        payloads += ["", "diary", "{}", "[\(forge.payload())]", forge.payload(extra: #","aud":"x""#)]
        for payload in payloads {
            let foreign = try forge.signed(header, payload, by: forge.otherKey)
            await #expect(throws: IDTokenFailure.refused, "\(payload)") { try await forge.verify(foreign) }
        }
        await #expect(throws: IDTokenFailure.refused) { try await forge.verify(token, audiences: ["com.example.other"]) }
        await #expect(throws: IDTokenFailure.refused) {
            try await forge.verifier.verifyExchanged(token, audience: "com.example.diary.web", at: IDTokenForge.now)
        }
        await #expect(throws: IDTokenFailure.keyNotFetched(seconds: 30)) { try await forge.verify(token) }
        await #expect(throws: IDTokenFailure.keyNotFetched(seconds: 30)) {
            try await forge.verifier.verifyExchanged(token, audience: IDTokenForge.audience, at: IDTokenForge.now)
        }
        #expect(forge.source.fetches == 1)

        forge.source.serve(forge.key.jwk(IDTokenForge.keyID), forge.otherKey.jwk("2026-12-a"))
        forge.clock.advance(.milliseconds(29_500))
        _ = try await forge.verify(token)
        await #expect(throws: IDTokenFailure.refused) { try await forge.verify(forge.signed(header)) }
        #expect(forge.source.fetches == 2)
    }

    @Test("a refused token is 403, one of a key that was not fetched yet 503 with the time of the next fetch")
    func answers() {
        let waits = IDTokenFailure.keyNotFetched(seconds: 30).forClient
        let refused = IDTokenFailure.refused.forClient

        #expect(waits.code == .unavailable && waits.code.status == 503 && waits.retryAfter == 30)
        #expect(refused.code == .tokenRefused && refused.code.status == 403 && refused.retryAfter == nil)
    }

    @Test(
        "typ may be missing or lower case",
        arguments: [#"{"alg":"RS256","kid":"2026-11-a"}"#, #"{"typ":"jwt","alg":"RS256","kid":"2026-11-a"}"#])
    func types(header: String) async throws {
        let forge = try IDTokenForge(.apple)

        _ = try await forge.verify(forge.signed(header))
    }

    @Test("several audiences need azp among them, and all must be the tenant's")
    func severalAudiences() async throws {
        let forge = try IDTokenForge(.google)
        let two = forge.payload("aud", #"["com.example.diary","com.example.diary.web"]"#)

        let claims = try await forge.verify(
            forge.signed(IDTokenForge.header, two.replacing("android.example.diary", with: "com.example.diary.web")))

        #expect(claims.audience == "com.example.diary.web")
        await #expect(throws: IDTokenFailure.refused) { try await forge.verify(forge.signed(IDTokenForge.header, two)) }
    }

    @Test("the nonce is the challenge or the hex of its hash, of this sign-in and no other")
    func nonce() async throws {
        let hashed = Hex.encode(SHA256.digest(Array(IDTokenForge.nonce.utf8)))
        for provider in IdentityProvider.allCases {
            let forge = try IDTokenForge(provider)

            _ = try await forge.verify(forge.claiming("nonce", "\"\(hashed)\""))
            for other in ["", "x", String(IDTokenForge.nonce.dropLast()), IDTokenForge.nonce + "x", hashed] {
                await #expect(throws: IDTokenFailure.refused) { try await forge.verify(forge.good, nonce: other) }
            }
            await #expect(throws: IDTokenFailure.refused) { try await forge.verify(forge.claiming("nonce", #""""#), nonce: "") }
        }
    }

    @Test("without an audience of the tenant no token is accepted", arguments: [[], ["com.example.other"], [""], ["*"]] as [Set<String>])
    func audiences(audiences: Set<String>) async throws {
        let forge = try IDTokenForge(.apple)

        await #expect(throws: IDTokenFailure.refused) { try await forge.verify(forge.good, audiences: audiences) }
    }

    @Test(
        "Google's rule decides who owns the address",
        arguments: [
            ("orchard@gmail.com", "true", nil, true), ("Orchard@GMAIL.com", #""true""#, nil, true),
            ("orchard@gmail.com", "false", nil, false),
            ("orchard@example.org", "true", "example.org", true), ("orchard@example.org", "true", nil, false),
            ("orchard@example.org", "false", "example.org", false), ("orchard@gmail.com.example.org", "true", nil, false),
            ("orchard@notgmail.com", "true", nil, false), ("orchard@googlemail.com", "true", nil, true),
            ("orchard@googlemail.com", "false", nil, false), ("orchard@notgooglemail.com", "true", nil, false),
            ("orchard@googlemail.com.example.org", "true", nil, false),
        ] as [(String, String, String?, Bool)])
    func googleAuthority(address: String, verified: String, domain: String?, expected: Bool) async throws {
        let forge = try IDTokenForge(.google)
        let payload = forge.payload("hd", domain.map { "\"\($0)\"" })
            .replacing(#""email":"orchard@example.org""#, with: #""email":"\#(address)""#)
            .replacing(#""email_verified":true"#, with: #""email_verified":\#(verified)"#)

        #expect(try await forge.verify(forge.signed(IDTokenForge.header, payload)).isAuthoritativeForAddress == expected)
    }

    @Test(
        "Apple vouches for addresses of its own domains only",
        arguments: [("a@icloud.com", true), ("a@privaterelay.appleid.com", true), ("a@example.org", false)])
    func appleAuthority(address: String, expected: Bool) async throws {
        let forge = try IDTokenForge(.apple)

        let claims = try await forge.verify(forge.claiming("email", "\"\(address)\""))

        #expect(claims.isAddressVerified && claims.isAuthoritativeForAddress == expected)
    }

    @Test("a token of one provider is none of the other's, even under the same key")
    func otherProvider() async throws {
        let apple = try IDTokenForge(.apple)
        let google = try IDTokenForge(.google)

        await #expect(throws: IDTokenFailure.refused) { try await google.verify(apple.good) }
        await #expect(throws: IDTokenFailure.refused) { try await apple.verify(google.good) }
    }

    @Test("a local issuer can play both")
    func local() async throws {
        let key = try RSATestKey.issuer.get()
        for provider in IdentityProvider.allCases {
            let issuer = IDTokenIssuer.local(provider, base: "http://127.0.0.1:8081/\(provider.rawValue)")
            let verifier = IDTokenVerifier(
                issuer: issuer, keys: JWKSCache(issuer: issuer, source: ListedKeySets(key.jwk(IDTokenForge.keyID))))
            let forge = try IDTokenForge(provider)
            let token = try forge.claiming("iss", "\"\(issuer.name)\"")

            let claims = try await verifier.verify(
                token, nonce: IDTokenForge.nonce, audiences: IDTokenForge.audiences, at: IDTokenForge.now)

            #expect(claims.issuer == issuer.name && claims.provider == provider)
            await #expect(throws: IDTokenFailure.refused) { try await forge.verify(token) }
        }
    }

    @Test("an authorization code belongs to its token")
    func codeHash() async throws {
        let forge = try IDTokenForge(.apple)
        let code = "c0d3.0.abc"
        let hash = Base64URL.encode(Array(SHA256.digest(Array(code.utf8)).prefix(16)))

        let claims = try await forge.verify(forge.claiming("c_hash", "\"\(hash)\""))
        let without = try await forge.verify(forge.claiming("c_hash", nil))

        #expect(claims.permits(authorizationCode: code) && !claims.permits(authorizationCode: code + "x"))
        #expect(without.permits(authorizationCode: "any"))
    }

    @Test("the exchanged token names the code's user, for one audience only; it needs no nonce")
    func exchanged() async throws {
        let forge = try IDTokenForge(.apple)

        let claims = try await forge.verifier.verifyExchanged(
            forge.claiming("nonce", nil), audience: IDTokenForge.audience, at: IDTokenForge.now)

        #expect(claims.subject == "001234.0123456789abcdef0123456789abcdef.0456")
        for (name, value) in [("sub", nil), ("aud", #""com.example.diary.web""#), ("exp", "1799999000")] {
            await #expect(throws: IDTokenFailure.refused) {
                try await forge.verifier.verifyExchanged(
                    forge.claiming(name, value), audience: IDTokenForge.audience, at: IDTokenForge.now)
            }
        }
    }

    @Test("2,000 random damages of a good token never trap and never pass")
    func damaged() async throws {
        let forge = try IDTokenForge(.google)
        let good = Array(try forge.good.utf8)
        let behindHeader = String(try forge.good.drop { $0 != "." })
        var generator = SystemRandomNumberGenerator()
        var waiting: [String] = []
        _ = try await forge.verify(forge.good)
        forge.clock.advance(.milliseconds(30_500))

        for _ in 0..<2000 {
            var bytes = good
            let place = Int.random(in: bytes.indices, using: &generator)
            switch Int.random(in: 0..<3, using: &generator) {
            case 0: bytes[place] = UInt8.random(in: 0..<128, using: &generator)
            case 1: bytes.remove(at: place)
            default: bytes.insert(UInt8.random(in: 0..<128, using: &generator), at: place)
            }
            guard bytes != good else { continue }
            let token = String(decoding: bytes, as: UTF8.self)
            // Only a header that names another key, over a payload as it was, may belong to a key that is new.
            let named = ProviderSignature.read(token, algorithm: forge.issuer.algorithm)?.header.keyID ?? IDTokenForge.keyID
            let isUnknown = named != IDTokenForge.keyID && token.hasSuffix(behindHeader)
            if isUnknown { waiting.append(token) }
            let failure: IDTokenFailure = isUnknown ? .keyNotFetched(seconds: 30) : .refused
            await #expect(throws: failure, "\(token)") { try await forge.verify(token) }
        }
        #expect(forge.source.fetches == 1)

        for token in waiting {
            forge.clock.advance(.seconds(60))
            await #expect(throws: IDTokenFailure.refused, "\(token)") { try await forge.verify(token) }
        }
        #expect(forge.source.fetches == 1 + waiting.count)
    }
}
