import DiaryCore
import DiaryCrypto
import FoundationEssentials
import Testing
import WireFormats

@testable import DiaryIdentity

/// One forged or damaged ID token (B2).
struct ForgedIDToken: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// By its header of a key that the provider may have had since the last fetch: refused for good only after the next.
    let namesUnknownKey: Bool
    let make: @Sendable (IDTokenForge) throws -> String

    init(_ name: String, namesUnknownKey: Bool = false, _ make: @escaping @Sendable (IDTokenForge) throws -> String) {
        testDescription = name
        self.namesUnknownKey = namesUnknownKey
        self.make = make
    }

    static func all(_ provider: IdentityProvider) -> [ForgedIDToken] {
        algorithms + keys + headers + shapes + signatures + claims(provider) + payloads
    }

    private static func header(_ text: String, namesUnknownKey: Bool = false) -> ForgedIDToken {
        ForgedIDToken("header \(text)", namesUnknownKey: namesUnknownKey) { f in try f.signed(text) }
    }

    private static let algorithms: [ForgedIDToken] = [
        .init("none, unsigned") { f in unsigned(f, #"{"alg":"none","kid":"\#(IDTokenForge.keyID)"}"#) + "." },
        .init("none with the real signature") { f in try f.signed(#"{"alg":"none","kid":"\#(IDTokenForge.keyID)"}"#) },
        .init("HS256 with the public key's PEM") { f in try hmac(f, Array(RSAPublicKey(n: f.key.n, e: f.key.e).pem.utf8)) },
        .init("HS256 with the modulus") { f in hmac(f, f.key.n) },
        .init("HS256 with the key id") { f in hmac(f, Array(IDTokenForge.keyID.utf8)) },
        .init("RS384") { f in try f.signed(#"{"alg":"RS384","kid":"\#(IDTokenForge.keyID)"}"#, digest: .sha384) },
        .init("RS256 named, SHA-384 signed") { f in try f.signed(digest: .sha384) },
        .init("RS256 named, SHA-1 signed") { f in try f.signed(digest: .sha1) },
        .init("RS256 named, PSS signed") { f in try f.signed(pss: true) },
        .init("PS256") { f in try f.signed(#"{"alg":"PS256","kid":"\#(IDTokenForge.keyID)"}"#, pss: true) },
        .init("ES256 by a key of its own") { f in
            let input = unsigned(f, #"{"alg":"ES256","kid":"\#(IDTokenForge.keyID)"}"#)
            return try input + "." + Base64URL.encode(P256PrivateKey.generate().sign(Array(input.utf8)))
        },
        header(#"{"alg":"rs256","kid":"2026-11-a"}"#), header(#"{"alg":"RS256 ","kid":"2026-11-a"}"#), header(#"{"kid":"2026-11-a"}"#),
        header(#"{"alg":null,"kid":"2026-11-a"}"#), header(#"{"alg":["RS256"],"kid":"2026-11-a"}"#),
    ]

    private static let keys: [ForgedIDToken] = [
        .init("another key's signature under the provider's kid") { f in try f.signed(by: f.otherKey) },
        .init("another key's signature and kid", namesUnknownKey: true) { f in
            try f.signed(#"{"alg":"RS256","kid":"other"}"#, by: f.otherKey)
        },
        .init("signed by a key of the set that is for encryption", namesUnknownKey: true) { f in
            try f.signed(#"{"alg":"RS256","kid":"other-use"}"#, by: f.otherKey)
        },
        .init("jwk injected") { f in try f.signed(IDTokenForge.header(adding: #""jwk":\#(f.otherKey.jwk("x"))"#), by: f.otherKey) },
        .init("jku injected") { f in try f.signed(IDTokenForge.header(adding: #""jku":"https://evil.example/jwks""#), by: f.otherKey) },
        .init("jku injected, well signed") { f in try f.signed(IDTokenForge.header(adding: #""jku":"https://evil.example/jwks""#)) },
        .init("x5u injected") { f in try f.signed(IDTokenForge.header(adding: #""x5u":"https://evil.example/c.pem""#)) },
        .init("x5c injected") { f in try f.signed(IDTokenForge.header(adding: #""x5c":["MIIB"]"#)) },
        header(#"{"alg":"RS256"}"#), header(#"{"alg":"RS256","kid":""}"#), header(#"{"alg":"RS256","kid":7}"#),
        header(#"{"alg":"RS256","kid":"2026-11-A"}"#, namesUnknownKey: true),
        header(#"{"alg":"RS256","kid":"2026-11-a\u0000"}"#, namesUnknownKey: true),
        header(#"{"alg":"RS256","kid":"../../keys"}"#, namesUnknownKey: true), header(#"{"alg":"RS256","kid":["2026-11-a"]}"#),
    ]

    private static let headers: [ForgedIDToken] = [
        header(#"{"alg":"none","alg":"RS256","kid":"2026-11-a"}"#), header(#"{"alg":"RS256","kid":"2026-11-a","alg":"none"}"#),
        header(#"{"alg":"RS256","kid":"2026-11-a","kid":"2026-11-a"}"#), header(#"{"\u0061lg":"RS256","kid":"2026-11-a"}"#),
        header(#"{"alg":"RS256","kid":"2026-11-a","crit":["exp"],"exp":1}"#), header(#"{"alg":"RS256","kid":"2026-11-a","crit":[]}"#),
        header(#"{"alg":"RS256","kid":"2026-11-a","b64":false,"crit":["b64"]}"#), header(#"{"alg":"RS256","kid":"2026-11-a","b64":true}"#),
        header(#"{"alg":"RS256","kid":"2026-11-a","zip":"DEF"}"#), header(#"{"alg":"RS256","kid":"2026-11-a","cty":"JWT"}"#),
        header(#"{"alg":"RS256","kid":"2026-11-a","typ":"at+jwt"}"#), header(#"{"alg":"RS256","kid":"2026-11-a","typ":"logout+jwt"}"#),
        header(#"{"alg":"RS256","kid":"2026-11-a","typ":""}"#), header(#"{"alg":"RS256","kid":"2026-11-a","typ":1}"#),
        header(#"["RS256"]"#), header(""), header("null"), header(#"{"alg":"RS256","kid":"2026-11-a"}{}"#),
        header("\u{FEFF}" + IDTokenForge.header),
    ]

    private static let shapes: [ForgedIDToken] = [
        .init("empty") { _ in "" }, .init("two dots") { _ in ".." }, .init("two parts") { f in try cut(f, 2) },
        .init("no signature") { f in try cut(f, 2) + "." }, .init("four parts") { f in try f.good + ".AAAA" },
        .init("five parts") { f in try f.good + ".AAAA.AAAA" }, .init("padding") { f in try f.good + "==" },
        .init("padding on the payload") { f in
            try f.sealed(Base64URL.encode(Array(IDTokenForge.header.utf8)), Base64URL.encode(Array(f.payload().utf8)) + "=")
        },
        .init("a space in front") { f in try " " + f.good }, .init("a newline behind") { f in try f.good + "\n" },
        .init("a NUL behind") { f in try f.good + "\0" }, .init("Bearer in front") { f in try "Bearer " + f.good },
        .init("JSON serialization") { f in
            let parts = try f.good.split(separator: ".")
            return #"{"protected":"\#(parts[0])","payload":"\#(parts[1])","signature":"\#(parts[2])"}"#
        },
        .init("9 KiB, well signed") { f in try f.signed(IDTokenForge.header, f.payload() + String(repeating: " ", count: 9000)) },
        .init("a megabyte") { _ in String(repeating: "A", count: 1 << 20) },
    ]

    private static let signatures: [ForgedIDToken] = [
        .init("one bit flipped") { f in try f.changingSignature { Array($0.dropLast()) + [$0[$0.count - 1] ^ 1] } },
        .init("a byte cut off") { f in try f.changingSignature { Array($0.dropLast()) } },
        .init("a zero byte in front") { f in try f.changingSignature { [0] + $0 } },
        .init("all zero") { f in try f.changingSignature { $0.map { _ in 0 } } },
        .init("one, as with exponent tricks") { f in try f.changingSignature { $0.dropLast().map { _ in 0 } + [1] } },
        .init("another token's") { f in
            try cut(f, 2) + "." + String(f.claiming("sub", #""1""#).split(separator: ".").last ?? "")
        },
        .init("the claims of another token") { f in
            let good = try f.good.split(separator: ".")
            let other = try f.claiming("sub", #""1""#).split(separator: ".")
            return "\(good[0]).\(other[1]).\(good[2])"
        },
    ]

    private static func claims(_ provider: IdentityProvider) -> [ForgedIDToken] {
        let other = provider == .apple ? "https://accounts.google.com" : "https://appleid.apple.com"
        let mine = provider == .apple ? "https://appleid.apple.com" : "https://accounts.google.com"
        let wrong: [(String, String?)] = [
            ("iss", nil), ("iss", "null"), ("iss", #""\#(other)""#), ("iss", #""\#(mine)/""#), ("iss", #""\#(mine.uppercased())""#),
            ("iss", #""https://evil.example""#), ("iss", #"["\#(mine)"]"#), ("iss", #""http\#(mine.dropFirst(5))""#),
            ("aud", nil), ("aud", "null"), ("aud", #""com.example.other""#), ("aud", #""com.example.Diary""#), ("aud", "[]"),
            ("aud", #""""#),
            ("aud", #"["com.example.diary","com.example.other"]"#), ("aud", #"["com.example.diary","com.example.diary.web"]"#),
            ("aud", #"["com.example.diary",1]"#), ("aud", #"{"com.example.diary":1}"#), ("aud", #""com.example.diary.evil""#),
            ("azp", "1"), ("azp", "true"), ("azp", "{}"), ("azp", #"["com.example.diary"]"#),
            ("sub", nil), ("sub", "null"), ("sub", #""""#), ("sub", "7"), ("sub", #""a b""#), ("sub", #""a\u0000""#), ("sub", #""é""#),
            ("sub", "\"" + String(repeating: "1", count: 256) + "\""),
            ("nonce", nil), ("nonce", "null"), ("nonce", #""""#), ("nonce", #""n-0S6_WzA2Mj-qrfv9Kx1W""#), ("nonce", #""n-0S6_WzA2Mj""#),
            ("nonce", #"["n-0S6_WzA2Mj-qrfv9Kx1w"]"#), ("nonce", "true"),
            ("nonce", "\"" + Hex.encode(SHA256.digest(Array(IDTokenForge.nonce.utf8))).uppercased() + "\""),
            ("exp", nil), ("exp", "1799999940"), ("exp", "1799999980"), ("exp", #""1800003590""#), ("exp", "1.8e9"), ("exp", "-1"),
            ("exp", "9223372036854775807"), ("exp", "1800086451"),
            ("iat", nil), ("iat", "1800000061"), ("iat", "1799999339"), ("iat", #""1799999990""#), ("iat", "-9223372036854775808"),
            ("iat", "0"),
            ("nbf", "1800000061"), ("nbf", #""0""#), ("nbf", "-1"), ("nbf", "1.5"), ("nbf", "true"), ("nbf", "[]"),
            ("c_hash", "1"), ("c_hash", "true"), ("c_hash", "{}"), ("c_hash", #"["LDktKdoQak3Pk0cnXxCltA"]"#),
        ]
        return wrong.map { name, value in
            ForgedIDToken("\(name) \(value ?? "left out")") { f in try f.claiming(name, value) }
        }
    }

    private static let payloads: [ForgedIDToken] = [
        .init("sub twice") { f in try f.signed(IDTokenForge.header, f.payload(extra: #","sub":"x""#)) },
        .init("sub twice, the second escaped") { f in try f.signed(IDTokenForge.header, f.payload(extra: #","\u0073ub":"x""#)) },
        .init("nonce twice") { f in try f.signed(IDTokenForge.header, f.payload(extra: #","nonce":"x""#)) },
        .init("a duplicate deep inside") { f in try f.signed(IDTokenForge.header, f.payload("x", #"{"a":1,"a":2}"#)) },
        .init("two audiences, azp null") { f in try twoAudiences(f, party: "null") },
        .init("two audiences, azp empty") { f in try twoAudiences(f, party: #""""#) },
        .init("an access token's claims") { f in try f.signed(IDTokenForge.header, TokenForge.payload()) },
        .init("no JSON") { f in try f.signed(IDTokenForge.header, "diary") },
        .init("an empty payload") { f in try f.signed(IDTokenForge.header, "") },
        .init("an empty object") { f in try f.signed(IDTokenForge.header, "{}") },
        .init("an array") { f in try f.signed(IDTokenForge.header, "[" + f.payload() + "]") },
        .init("a nested token") { f in try f.signed(IDTokenForge.header, f.good) },
    ]

    /// Well signed; `azp` is all that says for whom of the two it is.
    private static func twoAudiences(_ forge: IDTokenForge, party: String) throws -> String {
        let two = #"["com.example.diary","com.example.diary.web"]"#
        let isNamed = forge.payload().contains(#""azp":"#)
        let payload = forge.payload("aud", two, extra: isNamed ? "" : #","azp":\#(party)"#)
        return try forge.signed(IDTokenForge.header, payload.replacing(#""android.example.diary""#, with: party))
    }

    private static func unsigned(_ forge: IDTokenForge, _ header: String) -> String {
        Base64URL.encode(Array(header.utf8)) + "." + Base64URL.encode(Array(forge.payload().utf8))
    }

    private static func hmac(_ forge: IDTokenForge, _ secret: [UInt8]) -> String {
        let input = unsigned(forge, #"{"alg":"HS256","kid":"\#(IDTokenForge.keyID)"}"#)
        return input + "." + Base64URL.encode(HMACSHA256.code(Array(input.utf8), key: SecretBytes(secret)))
    }

    private static func cut(_ forge: IDTokenForge, _ count: Int) throws -> String {
        try forge.good.split(separator: ".").prefix(count).joined(separator: ".")
    }
}
