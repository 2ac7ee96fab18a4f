import FoundationEssentials
import WireFormats

@testable import DiaryCore
@testable import DiaryCrypto
@testable import DiaryIdentity

private enum Keys {
    static let signing: P256PrivateKey = {
        guard let key = try? P256PrivateKey.generate() else { fatalError("no key") }
        return key
    }()
    static let ring = SigningKeyRing(current: signing)

    static func signed(_ header: [UInt8], _ payload: [UInt8]) -> String {
        let input = Base64URL.encode(header) + "." + Base64URL.encode(payload)
        guard let signature = try? signing.sign(input.bytes) else { fatalError("no signature") }
        return input + "." + Base64URL.encode(signature)
    }
}

extension FuzzTarget {
    /// Access tokens: nothing passes but what was issued, whatever is in a token of our own key.
    static let token = FuzzTarget(name: "token") { input in
        let mode = input.choice(4)
        let header = #"{"alg":"ES256","kid":"\#(Keys.ring.currentKeyID)","typ":"at+jwt"}"#
        switch mode {
        case 0: hold(verified(input.text()) == nil, "a forged token passes")
        case 1:
            let other = input.edited(issued)
            hold((verified(other) != nil) == other.isExactly(issued), "an altered token passes, or the issued one does not")
        case 2:
            let payload = input.all()
            guard let claims = verified(Keys.signed(header.bytes, payload)) else { return }
            guard let value = try? JSONParser.parse(payload), case .object(let members) = value else {
                return hold(false, "claims that the other reader does not take")
            }
            hold(members["sub"] == .string("\(claims.user)"), "another user than the claims name")
            hold(members["tid"] == .string("\(claims.tenant)"), "another tenant than the claims name")
            hold(members["sid"] == .string("\(claims.session)"), "another session than the claims name")
            hold(members["iss"] == .string(policy.issuer), "another issuer")
            hold(claims.expiresAt > now.addingTimeInterval(-60), "an expired token passes")
        default:
            let header = input.all()
            guard verified(Keys.signed(header, payload)) != nil else { return }
            guard let value = try? JSONParser.parse(header), case .object(let members) = value else {
                return hold(false, "a header that the other reader does not take")
            }
            let known: JSONObject = [
                "alg": .string("ES256"), "kid": .string(Keys.ring.currentKeyID), "typ": .string("at+jwt"),
            ]
            hold(members == known, "a header with more or less than the three members")
        }
    }

    /// Providers' key sets and ID tokens. Signed input reaches libjwt and the JSON reader beneath it.
    static let provider = FuzzTarget(name: "provider") { input in
        switch input.choice(4) {
        case 0:
            guard let set = try? JWKSet(parsing: input.all()) else { return }
            hold(!set.keyIDs.contains(""), "a key without an id")
            hold(signedPayload(of: foreign, set, .es256) == nil, "another issuer's keys take our token")
        case 1:
            let payload = input.all()
            let token = Keys.signed(#"{"alg":"ES256","kid":"a","typ":"JWT"}"#.bytes, payload)
            guard let read = signedPayload(of: token, keys, .es256) else { return }
            hold(read == payload, "another payload than was signed")
        case 2:
            let header = input.all()
            guard signedPayload(of: Keys.signed(header, #"{"sub":"x"}"#.bytes), keys, .es256) != nil else { return }
            let object = JSONParser.object(header, .jose)
            hold(object?["alg"]?.string == "ES256" && object?["kid"]?.string == "a", "a key used for what its set does not name it for")
        default:
            let header = Base64URL.encode(#"{"alg":"RS256","kid":"r"}"#.bytes)
            let token = header + "." + Base64URL.encode(input.piece()) + "." + Base64URL.encode(input.all())
            guard let jws = ProviderSignature.read(token, algorithm: .rs256), let key = keys.keys[jws.header.keyID] else { return }
            hold(!key.isValid(jws.signature, for: jws.signingInput), "a forged RSA signature passes")
        }
    }

    private static let now = Date(timeIntervalSince1970: 1_790_000_000)
    private static let policy = AccessTokenPolicy(issuer: "https://diary.example", audiences: ["diary"])
    private static let tokens = ES256AccessTokens(ring: Keys.ring, policy: policy, cacheCapacity: 4)
    private static let ids = "00000000-0000-4000-8000-000000000001"
    private static let payload =
        #"{"iss":"https://diary.example","aud":"diary","sub":"\#(ids)","tid":"\#(ids)","sid":"\#(ids)","iat":1790000000,"exp":1790000900,"jti":"\#(ids)"}"#
        .bytes
    private static let issued: String = {
        let id = UUID(uuidString: ids) ?? UUID()
        let claims = AccessClaims(tenant: TenantID(id), user: UserID(id), session: SessionID(id), expiresAt: now.addingTimeInterval(900))
        guard let token = try? tokens.issue(claims, at: now) else { fatalError("no token") }
        return token
    }()
    /// Signed by a key that no set of input has.
    private static let foreign = Keys.signed(#"{"alg":"ES256","kid":"\(Keys.ring.currentKeyID)"}"#.bytes, payload)

    /// The payload, read and checked as `ProviderSignature.payload` does.
    private static func signedPayload(of token: String, _ keys: JWKSet, _ algorithm: SignatureAlgorithm) -> [UInt8]? {
        guard let jws = ProviderSignature.read(token, algorithm: algorithm), let key = keys.keys[jws.header.keyID],
            ProviderSignature.isSigned(jws, token, by: key)
        else { return nil }
        return jws.payload
    }

    private static func verified(_ token: String) -> AccessClaims? { try? tokens.verify(token, at: now) }

    /// 2048 bits of modulus made for nothing else; its private half was thrown away.
    private static let keys: JWKSet = {
        let key = Keys.signing.publicKey
        let ec = #"{"kty":"EC","crv":"P-256","kid":"a","alg":"ES256","x":"\#(Base64URL.encode(key.x))","y":"\#(Base64URL.encode(key.y))"}"#
        let rsa = #"{"kty":"RSA","kid":"r","alg":"RS256","e":"AQAB","n":"\#(modulus)"}"#
        guard let set = try? JWKSet(parsing: #"{"keys":[\#(ec),\#(rsa)]}"#.bytes) else { fatalError("no key set") }
        return set
    }()
    private static let modulus =
        "lhoeCQsMNc0zFsIR-i__7LvdARDszT_KlqbTsS-FCebAsHBLLp6K-EiKMnP1AKUero4hYd-bF0rB0pVuYVXTz6tDEw-OK6X5vfuSx1KZrVKuFf"
        + "NgWfLNE4kuvL7TvUTxnfLySHjTdvjPBHvsFNxtqIRParSWOXPRXwV3TcQPRs-y24SNu-LjvIzMbMHPl1GUuPlbbtMGW9f4wvkhahMh0ZbmtdNX"
        + "Qdpztr06erupK404W1XSWQNNSp-fowNmMyV4v34Jx_mxI7gSm14pWk2J-NKxgg0c2QfLQ0fpiU4tBE7qHcV1rKFE0eerZBIafOvzGTcKiFNQm5"
        + "s71-MMtBBGPw"
}
