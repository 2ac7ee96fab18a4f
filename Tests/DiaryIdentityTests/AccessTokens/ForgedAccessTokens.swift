import DiaryCrypto
import FoundationEssentials
import Testing
import WireFormats

@testable import DiaryIdentity

/// One forged or damaged access token (B1).
struct ForgedAccessToken: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let make: @Sendable (TokenForge) throws -> String

    init(_ name: String, _ make: @escaping @Sendable (TokenForge) throws -> String) {
        testDescription = name
        self.make = make
    }

    static let all: [ForgedAccessToken] = [
        algorithms, keys, headers, shapes, signatures, missingClaims, nullClaims, wrongClaims, wrongPayloads,
    ].flatMap { $0 }

    private static let algorithms: [ForgedAccessToken] = [
        .init("alg none without signature") { f in unsigned(#"{"alg":"none","kid":"\#(f.keyID)","typ":"at+jwt"}"#) + "." },
        .init("alg None with the real signature") { f in
            try f.signed(#"{"alg":"None","kid":"\#(f.keyID)","typ":"at+jwt"}"#, TokenForge.payload())
        },
        .init("alg none with the real signature") { f in
            try f.signed(#"{"alg":"none","kid":"\#(f.keyID)","typ":"at+jwt"}"#, TokenForge.payload())
        },
        .init("HS256 with the public key's PEM as secret") { f in hmac(f, secret: Array(f.key.publicKey.pem.utf8)) },
        .init("HS256 with the public key's x as secret") { f in hmac(f, secret: f.key.publicKey.x) },
        .init("HS256 with the key id as secret") { f in hmac(f, secret: Array(f.keyID.utf8)) },
        .init("HS256 with an empty secret") { f in hmac(f, secret: [0]) },
        .init("ES384 named, ES256 signed") { f in try f.signed(#"{"alg":"ES384","kid":"\#(f.keyID)","typ":"at+jwt"}"#, TokenForge.payload())
        },
        .init("RS256 named, ES256 signed") { f in try f.signed(#"{"alg":"RS256","kid":"\#(f.keyID)","typ":"at+jwt"}"#, TokenForge.payload())
        },
        .init("es256 in lower case") { f in try f.signed(#"{"alg":"es256","kid":"\#(f.keyID)","typ":"at+jwt"}"#, TokenForge.payload()) },
        .init("alg as an array") { f in try f.signed(#"{"alg":["ES256"],"kid":"\#(f.keyID)","typ":"at+jwt"}"#, TokenForge.payload()) },
        .init("alg null") { f in try f.signed(#"{"alg":null,"kid":"\#(f.keyID)","typ":"at+jwt"}"#, TokenForge.payload()) },
        .init("no alg") { f in try f.signed(#"{"kid":"\#(f.keyID)","typ":"at+jwt"}"#, TokenForge.payload()) },
    ]

    private static let keys: [ForgedAccessToken] = [
        .init("signed by another key under our kid") { f in try f.signed(f.header, TokenForge.payload(), by: f.otherKey) },
        .init("signed by another key under its own kid") { f in
            try f.signed(#"{"alg":"ES256","kid":"\#(f.otherKeyID)","typ":"at+jwt"}"#, TokenForge.payload(), by: f.otherKey)
        },
        .init("our signature under another key's kid") { f in
            try f.signed(#"{"alg":"ES256","kid":"\#(f.otherKeyID)","typ":"at+jwt"}"#, TokenForge.payload())
        },
        .init("no kid") { f in try f.signed(#"{"alg":"ES256","typ":"at+jwt"}"#, TokenForge.payload()) },
        .init("empty kid") { f in try f.signed(#"{"alg":"ES256","kid":"","typ":"at+jwt"}"#, TokenForge.payload()) },
        .init("kid as a number") { f in try f.signed(#"{"alg":"ES256","kid":1,"typ":"at+jwt"}"#, TokenForge.payload()) },
        .init("kid with a NUL behind it") { f in
            try f.signed(#"{"alg":"ES256","kid":"\#(f.keyID)\u0000","typ":"at+jwt"}"#, TokenForge.payload())
        },
        .init("kid as a path") { f in try f.signed(#"{"alg":"ES256","kid":"../../dev/null","typ":"at+jwt"}"#, TokenForge.payload()) },
        .init("kid as SQL") { f in try f.signed(#"{"alg":"ES256","kid":"' or 1=1 --","typ":"at+jwt"}"#, TokenForge.payload()) },
        .init("jwk injected") { f in
            let key = f.otherKey.publicKey
            let jwk = #""jwk":{"kty":"EC","crv":"P-256","x":"\#(Base64URL.encode(key.x))","y":"\#(Base64URL.encode(key.y))"}"#
            return try f.signed(f.header(adding: jwk), TokenForge.payload(), by: f.otherKey)
        },
        .init("jku injected") { f in try f.signed(f.header(adding: #""jku":"https://evil.example/jwks.json""#), TokenForge.payload()) },
        .init("x5u injected") { f in try f.signed(f.header(adding: #""x5u":"https://evil.example/cert.pem""#), TokenForge.payload()) },
        .init("x5c injected") { f in try f.signed(f.header(adding: #""x5c":["MIIB"]"#), TokenForge.payload()) },
    ]

    private static let headers: [ForgedAccessToken] = [
        .init("alg twice, ours last") { f in
            try f.signed(#"{"alg":"none","alg":"ES256","kid":"\#(f.keyID)","typ":"at+jwt"}"#, TokenForge.payload())
        },
        .init("alg twice, ours first") { f in
            try f.signed(#"{"alg":"ES256","kid":"\#(f.keyID)","typ":"at+jwt","alg":"none"}"#, TokenForge.payload())
        },
        .init("kid twice, equal") { f in try f.signed(f.header(adding: #""kid":"\#(f.keyID)""#), TokenForge.payload()) },
        .init("typ twice") { f in try f.signed(f.header(adding: #""typ":"at+jwt""#), TokenForge.payload()) },
        .init("alg spelled with an escape") { f in
            try f.signed(#"{"\u0061lg":"ES256","kid":"\#(f.keyID)","typ":"at+jwt"}"#, TokenForge.payload())
        },
        .init("alg and an escaped alg") { f in try f.signed(f.header(adding: #""\u0061lg":"none""#), TokenForge.payload()) },
        .init("crit of an unknown member") { f in try f.signed(f.header(adding: #""crit":["exp"],"exp":1800000900"#), TokenForge.payload())
        },
        .init("empty crit") { f in try f.signed(f.header(adding: #""crit":[]"#), TokenForge.payload()) },
        .init("b64 false") { f in try f.signed(f.header(adding: #""b64":false,"crit":["b64"]"#), TokenForge.payload()) },
        .init("zip") { f in try f.signed(f.header(adding: #""zip":"DEF""#), TokenForge.payload()) },
        .init("cty nested") { f in try f.signed(f.header(adding: #""cty":"JWT""#), TokenForge.payload()) },
        .init("typ JWT") { f in try f.signed(#"{"alg":"ES256","kid":"\#(f.keyID)","typ":"JWT"}"#, TokenForge.payload()) },
        .init("no typ") { f in try f.signed(#"{"alg":"ES256","kid":"\#(f.keyID)"}"#, TokenForge.payload()) },
        .init("typ in upper case") { f in try f.signed(#"{"alg":"ES256","kid":"\#(f.keyID)","typ":"AT+JWT"}"#, TokenForge.payload()) },
        .init("typ of a refresh token") { f in try f.signed(#"{"alg":"ES256","kid":"\#(f.keyID)","typ":"rt+jwt"}"#, TokenForge.payload()) },
        .init("header is an array") { f in try f.signed(#"["ES256"]"#, TokenForge.payload()) },
        .init("header with a byte order mark") { f in try f.signed("\u{FEFF}" + f.header, TokenForge.payload()) },
        .init("text after the header's object") { f in try f.signed(f.header + "{}", TokenForge.payload()) },
        .init("header nested a thousand deep") { f in
            try f.signed(
                #"{"alg":"# + String(repeating: "[", count: 1000) + String(repeating: "]", count: 1000) + "}", TokenForge.payload())
        },
        .init("header is not UTF-8") { f in
            try f.sealed(Base64URL.encode([0x7B, 0x22, 0xFF, 0x22, 0x7D]), Base64URL.encode(Array(TokenForge.payload().utf8)))
        },
    ]

    private static let shapes: [ForgedAccessToken] = [
        .init("empty") { _ in "" },
        .init("two dots") { _ in ".." },
        .init("two parts") { f in try f.good.split(separator: ".").prefix(2).joined(separator: ".") },
        .init("empty signature") { f in try f.good.split(separator: ".").prefix(2).joined(separator: ".") + "." },
        .init("trailing dot") { f in try f.good + "." },
        .init("leading dot") { f in try "." + f.good },
        .init("four parts") { f in try f.good + ".AAAA" },
        .init("five parts, as a JWE") { f in try f.good + ".AAAA.AAAA" },
        .init("five parts with a JWE header") { _ in Base64URL.encode(Array(#"{"alg":"dir","enc":"A256GCM"}"#.utf8)) + "..AAAA.AAAA.AAAA" },
        .init("padding on the signature") { f in try f.good + "==" },
        .init("padding on the header") { f in
            try f.sealed(Base64URL.encode(Array(f.header.utf8)) + "=", Base64URL.encode(Array(TokenForge.payload().utf8)))
        },
        .init("leading space") { f in try " " + f.good },
        .init("trailing newline") { f in try f.good + "\n" },
        .init("space inside") { f in try f.good.split(separator: ".").joined(separator: ". ") },
        .init("trailing NUL") { f in try f.good + "\0" },
        .init("Bearer inside") { f in try "Bearer " + f.good },
        .init("standard base64 alphabet") { f in try f.changingAlphabet() },
        .init("unused bits set") { f in try f.settingUnusedBits() },
        .init("JSON serialization") { f in
            let parts = try f.good.split(separator: ".")
            return #"{"protected":"\#(parts[0])","payload":"\#(parts[1])","signature":"\#(parts[2])"}"#
        },
        .init("larger than 4 KiB, well signed") { f in try f.signed(f.header, TokenForge.payload() + String(repeating: " ", count: 4096)) },
        .init("a megabyte of dots") { _ in String(repeating: ".", count: 1 << 20) },
        .init("a full-width dot") { f in try f.good.split(separator: ".").joined(separator: "\u{FF0E}") },
    ]

    private static let signatures: [ForgedAccessToken] = [
        .init("one bit of the signature flipped") { f in try f.changingSignature { [$0[0] ^ 1] + Array($0.dropFirst()) } },
        .init("last byte cut off") { f in try f.changingSignature { Array($0.dropLast()) } },
        .init("a zero byte appended") { f in try f.changingSignature { $0 + [0] } },
        .init("a zero byte in front of r") { f in try f.changingSignature { [0] + $0 } },
        .init("DER encoded") { f in try f.changingSignature(TokenForge.der) },
        .init("r zero") { f in try f.changingSignature { [UInt8](repeating: 0, count: 32) + Array($0.suffix(32)) } },
        .init("s zero") { f in try f.changingSignature { Array($0.prefix(32)) + [UInt8](repeating: 0, count: 32) } },
        .init("r and s zero") { f in try f.changingSignature { _ in [UInt8](repeating: 0, count: 64) } },
        .init("r is the order") { f in try f.changingSignature { TokenForge.order + Array($0.suffix(32)) } },
        .init("s is the order") { f in try f.changingSignature { Array($0.prefix(32)) + TokenForge.order } },
        .init("all ones") { f in try f.changingSignature { _ in [UInt8](repeating: 0xFF, count: 64) } },
        .init("r and s swapped") { f in try f.changingSignature { Array($0.suffix(32)) + Array($0.prefix(32)) } },
        .init("signature of another token") { f in
            let other = try f.signed(f.header, TokenForge.payload("exp", "1800000901")).split(separator: ".")
            let good = try f.good.split(separator: ".")
            return "\(good[0]).\(good[1]).\(other[2])"
        },
        .init("payload changed after signing") { f in
            let parts = try f.good.split(separator: ".")
            let payload = Base64URL.encode(Array(TokenForge.payload("exp", "1800000901").utf8))
            return "\(parts[0]).\(payload).\(parts[2])"
        },
    ]

    private static let claimNames = ["iss", "aud", "sub", "tid", "sid", "iat", "exp", "jti"]

    private static let missingClaims: [ForgedAccessToken] = claimNames.map { name in
        ForgedAccessToken("no \(name)") { f in try f.signed(f.header, TokenForge.payload(name, nil)) }
    }

    private static let nullClaims: [ForgedAccessToken] = claimNames.map { name in
        ForgedAccessToken("\(name) null") { f in try f.signed(f.header, TokenForge.payload(name, "null")) }
    }

    private static let wrongValues: [(String, String)] = [
        ("exp", #""1800000900""#), ("exp", "1800000900.5"), ("exp", "1.8000009e9"), ("exp", "-1"), ("exp", "99999999999999999999999"),
        ("exp", "9223372036854775807"), ("exp", "253402300799"), ("exp", "1799999000"), ("exp", "01800000900"), ("exp", "true"),
        ("iat", "1800000061"), ("iat", #""1800000000""#), ("iat", "-9223372036854775808"), ("iat", "1800000900"), ("iat", "0"),
        ("iss", #""https://evil.example""#), ("iss", #""https://diary.example/""#), ("iss", #"["https://diary.example"]"#),
        ("aud", #""other-api""#), ("aud", "[]"), ("aud", #"["other-api"]"#), ("aud", #"["diary-api",1]"#), ("aud", #""Diary-API""#),
        ("sid", #""session""#), ("sid", #""""#), ("sid", "7"), ("sub", #""0190F3A4-9A2B-7C3D-8E4F-5A6B7C8D9E0F""#),
        ("sub", #""{0190f3a4-9a2b-7c3d-8e4f-5a6b7c8d9e0f}""#), ("tid", #""0190f3a49a2b7c3d8e4f5a6b7c8d9e0f""#), ("tid", #""*""#),
        ("tid", #""0190f3a4-9a2b-7c3d-8e4f-5a6b7c8d9e0f ""#), ("jti", #""1""#),
    ]

    private static let wrongClaims: [ForgedAccessToken] = wrongValues.map { name, value in
        ForgedAccessToken("\(name) is \(value)") { f in try f.signed(f.header, TokenForge.payload(name, value)) }
    }

    private static let wrongPayloads: [ForgedAccessToken] = [
        .init("exp twice") { f in try f.signed(f.header, TokenForge.payload(extra: #","exp":1800000901"#)) },
        .init("sub twice, the second escaped") { f in try f.signed(f.header, TokenForge.payload(extra: #","\u0073ub":"x""#)) },
        .init("a duplicate member deep inside") { f in try f.signed(f.header, TokenForge.payload("aud", #"{"a":1,"a":2}"#)) },
        .init("an unknown claim") { f in try f.signed(f.header, TokenForge.payload(extra: #","nbf":1900000000"#)) },
        .init("a payload that is no JSON") { f in try f.signed(f.header, "diary") },
        .init("an empty payload") { f in try f.signed(f.header, "") },
        .init("an empty object") { f in try f.signed(f.header, "{}") },
        .init("a trailing comma") { f in try f.signed(f.header, TokenForge.payload(extra: ",")) },
        .init("expired by a minute") { f in
            try f.signed(f.header, TokenForge.payload("exp", "1799999940").replacing("1800000000", with: "1799999000"))
        },
    ]

    private static func unsigned(_ header: String) -> String {
        Base64URL.encode(Array(header.utf8)) + "." + Base64URL.encode(Array(TokenForge.payload().utf8))
    }

    private static func hmac(_ forge: TokenForge, secret: [UInt8]) -> String {
        let input = unsigned(#"{"alg":"HS256","kid":"\#(forge.keyID)","typ":"at+jwt"}"#)
        return input + "." + Base64URL.encode(HMACSHA256.code(Array(input.utf8), key: SecretBytes(secret)))
    }
}

extension TokenForge {
    /// A good token whose signature holds `-` or `_`, with `+` and `/` in their place.
    fileprivate func changingAlphabet() throws -> String {
        while true {
            let parts = try good.split(separator: ".")
            let changed = parts[2].replacing("-", with: "+").replacing("_", with: "/")
            if changed != parts[2] { return "\(parts[0]).\(parts[1]).\(changed)" }
        }
    }

    /// 64 bytes leave four unused bits in the last of 86 characters.
    fileprivate func settingUnusedBits() throws -> String {
        let token = try good
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
        let place = token.last.flatMap { alphabet.firstIndex(of: $0) } ?? 0
        return String(token.dropLast()) + String(alphabet[place + 1])
    }
}
