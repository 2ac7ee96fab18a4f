import DiaryCore
import DiaryCrypto
import FoundationEssentials
import WireFormats

@testable import DiaryIdentity

/// Writes tokens by hand with the service's own key, so that a forged one differs from a good one in one thing.
struct TokenForge {
    static let now = Date(timeIntervalSince1970: 1_800_000_000)
    static let policy = AccessTokenPolicy(issuer: "https://diary.example", audiences: ["diary-api"])

    let key: P256PrivateKey
    let otherKey: P256PrivateKey
    let ring: SigningKeyRing
    let tokens: ES256AccessTokens

    init() throws {
        key = try P256PrivateKey.generate()
        otherKey = try P256PrivateKey.generate()
        ring = SigningKeyRing(current: key)
        tokens = ES256AccessTokens(ring: ring, policy: Self.policy)
    }

    var keyID: String { ring.currentKeyID }
    var otherKeyID: String { SigningKeyRing.keyID(of: otherKey.publicKey) }

    static let claims = AccessClaims(
        tenant: TenantID(UUID()), user: UserID(UUID()), session: SessionID(UUID()), expiresAt: now.addingTimeInterval(900))

    var header: String { #"{"alg":"ES256","kid":"\#(keyID)","typ":"at+jwt"}"# }

    /// Raw JSON values by name, in the order they are written.
    static let members: [(String, String)] = [
        ("iss", #""https://diary.example""#), ("aud", #""diary-api""#), ("sub", "\"\(claims.user)\""), ("tid", "\"\(claims.tenant)\""),
        ("sid", "\"\(claims.session)\""), ("iat", "1800000000"), ("exp", "1800000900"),
        ("jti", #""0190f3a4-9a2b-7c3d-8e4f-5a6b7c8d9e0f""#),
    ]

    /// The payload with one member replaced, or left out for `nil`, and more text before the closing brace.
    static func payload(_ name: String = "", _ value: String? = "", extra: String = "") -> String {
        let texts = members.compactMap { member -> String? in
            guard member.0 == name else { return "\"\(member.0)\":\(member.1)" }
            return value.map { "\"\(name)\":\($0)" }
        }
        return "{" + texts.joined(separator: ",") + extra + "}"
    }

    func signed(_ header: String, _ payload: String, by signer: P256PrivateKey? = nil) throws -> String {
        try sealed(Base64URL.encode(Array(header.utf8)), Base64URL.encode(Array(payload.utf8)), by: signer)
    }

    /// Signs two parts as they are, whatever they hold.
    func sealed(_ head: String, _ body: String, by signer: P256PrivateKey? = nil) throws -> String {
        let input = head + "." + body
        return try input + "." + Base64URL.encode((signer ?? key).sign(Array(input.utf8)))
    }

    var good: String { get throws { try signed(header, Self.payload()) } }

    func header(adding text: String) -> String { String(header.dropLast()) + "," + text + "}" }

    /// The good token with its signature put through a change.
    func changingSignature(_ change: ([UInt8]) -> [UInt8]) throws -> String {
        try changing(good.split(separator: "."), change)
    }

    func changing(_ parts: [Substring], _ change: ([UInt8]) -> [UInt8]) throws -> String {
        let signature = Base64URL.decode(String(parts[2])) ?? []
        return "\(parts[0]).\(parts[1]).\(Base64URL.encode(change(signature)))"
    }

    static func der(_ raw: [UInt8]) -> [UInt8] {
        func integer(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
            let value = Array(bytes.drop { $0 == 0 })
            let positive = (value.first ?? 0x80) >= 0x80 ? [0] + value : value
            return [0x02, UInt8(positive.count)] + positive
        }
        let body = integer(raw.prefix(32)) + integer(raw.suffix(32))
        return [0x30, UInt8(body.count)] + body
    }

    /// The order of P-256.
    static let order: [UInt8] = Hex.decode("ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551") ?? []

    /// `order - value`, for the other of the two values of `s`.
    static func negated(_ value: ArraySlice<UInt8>) -> [UInt8] {
        var borrow = 0
        return zip(order, value).reversed().map { left, right in
            let difference = Int(left) - Int(right) - borrow
            borrow = difference < 0 ? 1 : 0
            return UInt8(difference & 0xFF)
        }.reversed()
    }
}
