import DiaryCore
import DiaryCrypto
import FoundationEssentials
import TestSupport
import WireFormats

@testable import DiaryIdentity

/// Writes ID tokens by hand with a provider's own key, so that a forged one differs from a good one in one thing.
struct IDTokenForge {
    static let now = Date(timeIntervalSince1970: 1_800_000_000)
    static let nonce = "n-0S6_WzA2Mj-qrfv9Kx1w"
    static let keyID = "2026-11-a"
    static let audience = "com.example.diary"
    static let audiences: Set<String> = [audience, "com.example.diary.web"]

    let issuer: IDTokenIssuer
    let key: RSATestKey
    let otherKey: RSATestKey
    let source: ListedKeySets
    /// The cache's: without it the time between two fetches would pass while a test runs.
    let clock: ManualClock
    let cache: JWKSCache
    let verifier: IDTokenVerifier

    init(_ provider: IdentityProvider) throws {
        issuer = provider == .apple ? .apple : .google
        key = try RSATestKey.issuer.get()
        otherKey = try RSATestKey.otherKey.get()
        source = ListedKeySets(key.jwk(Self.keyID), otherKey.jwk("other-use").replacing(#""use":"sig""#, with: #""use":"enc""#))
        let clock = ManualClock()
        self.clock = clock
        cache = JWKSCache(issuer: issuer, source: source, now: { clock.now })
        verifier = IDTokenVerifier(issuer: issuer, keys: cache)
    }

    func verify(
        _ token: String, nonce: String = Self.nonce, audiences: Set<String> = Self.audiences
    ) async throws(IDTokenFailure) -> IDTokenClaims {
        try await verifier.verify(token, nonce: nonce, audiences: audiences, at: Self.now)
    }

    static let header = #"{"alg":"RS256","kid":"\#(keyID)","typ":"JWT"}"#

    /// Raw JSON values by name, in the order they are written, as the provider writes them.
    static func members(_ provider: IdentityProvider) -> [(String, String)] {
        let times = [("iat", "1799999990"), ("exp", provider == .apple ? "1800086390" : "1800003590")]
        let common = [("aud", #""\#(audience)""#), ("nonce", #""\#(nonce)""#)] + times
        switch provider {
        case .apple:
            return [
                ("iss", #""https://appleid.apple.com""#), ("sub", #""001234.0123456789abcdef0123456789abcdef.0456""#),
                ("c_hash", #""LDktKdoQak3Pk0cnXxCltA""#), ("email", #""x7k2p9@privaterelay.appleid.com""#),
                ("email_verified", #""true""#), ("is_private_email", #""true""#), ("auth_time", "1799999990"), ("nonce_supported", "true"),
                ("real_user_status", "2"),
            ] + common
        case .google:
            return [
                ("iss", #""https://accounts.google.com""#), ("azp", #""android.example.diary""#), ("sub", #""110169484474386276334""#),
                ("hd", #""example.org""#), ("email", #""orchard@example.org""#), ("email_verified", "true"),
                ("at_hash", #""n879grk0yDwMjWx92oPjRQ""#), ("name", #""Orchard Lantern""#), ("jti", #""161a5f""#),
            ] + common
        }
    }

    /// The payload with one member replaced, added, or left out for `nil`, and more text before the closing brace.
    func payload(_ name: String = "", _ value: String? = "", extra: String = "") -> String {
        var members = Self.members(issuer.provider).filter { $0.0 != name || value != nil }
        if let value, !name.isEmpty {
            if let place = members.firstIndex(where: { $0.0 == name }) { members[place].1 = value } else { members.append((name, value)) }
        }
        return "{" + members.map { "\"\($0.0)\":\($0.1)" }.joined(separator: ",") + extra + "}"
    }

    func signed(
        _ header: String = Self.header, _ payload: String? = nil, by signer: RSATestKey? = nil, digest: RSATestKey.Digest = .sha256,
        pss: Bool = false
    ) throws -> String {
        try sealed(Base64URL.encode(Array(header.utf8)), Base64URL.encode(Array((payload ?? self.payload()).utf8)), by: signer, digest, pss)
    }

    /// Signs two parts as they are, whatever they hold.
    func sealed(
        _ head: String, _ body: String, by signer: RSATestKey? = nil, _ digest: RSATestKey.Digest = .sha256, _ pss: Bool = false
    ) throws -> String {
        let input = head + "." + body
        return try input + "." + Base64URL.encode((signer ?? key).sign(Array(input.utf8), digest: digest, pss: pss))
    }

    var good: String { get throws { try signed() } }

    /// The good token with a claim of another value.
    func claiming(_ name: String, _ value: String?) throws -> String { try signed(Self.header, payload(name, value)) }

    static func header(adding text: String) -> String { String(header.dropLast()) + "," + text + "}" }

    /// The good token with its signature put through a change.
    func changingSignature(_ change: ([UInt8]) -> [UInt8]) throws -> String {
        let parts = try good.split(separator: ".")
        return "\(parts[0]).\(parts[1]).\(Base64URL.encode(change(Base64URL.decode(String(parts[2])) ?? [])))"
    }
}
