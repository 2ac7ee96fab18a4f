import DiaryCore
import DiaryCrypto
import Testing
import WireFormats

@testable import DiaryIdentity

/// Key sets that would accept forged tokens, or refuse all.
enum PoisonedKeySets {
    static func all() throws -> [[UInt8]] {
        let good = try RSATestKey.issuer.get()
        let other = try RSATestKey.otherKey.get()
        let ec = try P256PrivateKey.generate().publicKey
        let curve = #""crv":"P-256","x":"\#(Base64URL.encode(ec.x))","y":"\#(Base64URL.encode(ec.y))""#
        func set(_ keys: String...) -> [UInt8] { Array((#"{"keys":["# + keys.joined(separator: ",") + "]}").utf8) }
        func rsa(_ n: [UInt8], e: String = "AQAB") -> String {
            #"{"kty":"RSA","alg":"RS256","kid":"evil","n":"\#(Base64URL.encode(n))","e":"\#(e)"}"#
        }
        return [
            // EC for RS256, small and huge moduli, weak exponents, an even modulus.
            set(#"{"kty":"EC","alg":"RS256","kid":"evil",\#(curve)}"#), set(try RSATestKey.tiny.get().jwk("evil")),
            set(try RSATestKey.short.get().jwk("evil")), set(rsa([UInt8](repeating: 0xC5, count: 1025))), set(rsa(other.n, e: "AQ")),
            set(rsa(other.n, e: "Aw")), set(rsa(other.n, e: "AQAA")), set(rsa(other.n, e: "AQAAAAAB")),
            set(rsa(Array(other.n.dropLast()) + [0x02])),
            // One kid twice, also with one of another kind; a private key; a secret among public keys; no key at all.
            set(good.jwk("evil"), other.jwk("evil")), set(good.jwk("evil"), #"{"kty":"OKP","alg":"EdDSA","kid":"evil"}"#),
            set(good.jwk("evil", more: #","d":"AQAB""#)),
            set(good.jwk("evil"), #"{"kty":"oct","alg":"HS256","kid":"h","k":"\#(Base64URL.encode([UInt8](repeating: 1, count: 32)))"}"#),
            set(#"{"kty":"oct","alg":"HS256","kid":"evil","k":"\#(Base64URL.encode([UInt8](repeating: 1, count: 32)))"}"#),
            set(#"{"kty":"EC","alg":"ES256","kid":"evil",\#(curve)}"#), set(good.jwk("evil", algorithm: "RS512")), set(),
            // Too many keys, too many bytes, damaged or doubled JSON.
            Array((#"{"keys":["# + (0...32).map { good.jwk("evil-\($0)") }.joined(separator: ",") + "]}").utf8),
            set(good.jwk("evil")) + [UInt8](repeating: 0x20, count: 64 * 1024), [UInt8](repeating: 0x5B, count: 10 << 20),
            Array(set(good.jwk("evil")).dropLast()), set(good.jwk("evil")) + Array("{}".utf8), set(good.jwk("evil", more: #","n":"AQAB""#)),
            Array(#"{"keys":[],"keys":[\#(good.jwk("evil"))]}"#.utf8), Array(#"{"keys":{"evil":\#(good.jwk("evil"))}}"#.utf8),
            Array("[]".utf8), [],
            Array("<html>".utf8), set("1"), set("null"), set(#""evil""#),
        ]
    }
}

@Suite("B3: key sets of one algorithm")
struct ProviderKeysTests {
    @Test("B3: every poisoned set is refused")
    func poisoned() throws {
        let documents = try PoisonedKeySets.all()

        for (number, document) in documents.enumerated() {
            #expect(throws: JWKSetRefused(), "number \(number)") { try ProviderKeys(parsing: document, algorithm: .rs256) }
        }
        print("B3: \(documents.count) poisoned key sets refused")
    }

    @Test("keys of other algorithms and uses are passed over, and 32 keys are not too many")
    func others() throws {
        let key = try RSATestKey.issuer.get()
        let more = (0..<30).map { key.jwk("k\($0)") }
        let set = ListedKeySets.document(
            more + [key.jwk("p", algorithm: "PS256"), key.jwk("none").replacing(#""alg":"RS256","#, with: "")])

        let keys = try ProviderKeys(parsing: set.bytes, algorithm: .rs256)

        #expect(keys["k0"] != nil && keys["k29"] != nil)
        #expect(keys["p"] == nil && keys["none"] == nil && keys["K0"] == nil && keys[""] == nil)
    }
}
