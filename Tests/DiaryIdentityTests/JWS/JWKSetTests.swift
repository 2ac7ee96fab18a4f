import DiaryCore
import DiaryCrypto
import Testing
import WireFormats

@testable import DiaryIdentity

@Suite("B3: key sets of providers")
struct JWKSetTests {
    private let x = "04N0xi21hshyvBp7I167sbE_bXqyqkAPfefdklMO7wY"
    private let y = "UI8exy-C06a7DUnjIdENkxeFtHM4-l_41LqEw9nVgmw"

    private func ec(_ kid: String = "a", _ more: String = "") -> String {
        #"{"kty":"EC","crv":"P-256","alg":"ES256","use":"sig","kid":"\#(kid)","x":"\#(x)","y":"\#(y)"\#(more)}"#
    }

    private func set(_ keys: String...) -> [UInt8] { Array((#"{"keys":["# + keys.joined(separator: ",") + "]}").utf8) }

    private func rsa(bits: Int, e: String = "AQAB") -> String {
        let modulus = [0xC5] + [UInt8](repeating: 0x5B, count: bits / 8 - 1)
        return #"{"kty":"RSA","alg":"RS256","kid":"r","n":"\#(Base64URL.encode(modulus))","e":"\#(e)"}"#
    }

    @Test("B3: a poisoned set is refused whole")
    func poisoned() {
        let poisoned: [[UInt8]] = [
            set(ec(), ec()),
            set(ec(), #"{"kty":"OKP","alg":"EdDSA","kid":"a"}"#),
            set(ec("a", #","d":"AAAA""#)),
            set(ec("a", #","x":"\#(x)""#)),
            set(ec().replacing("P-256", with: "P-384")),
            set(ec().replacing(x, with: y)),
            set(ec().replacing(x, with: x + "=")),
            set(ec().replacing(x, with: "AA")),
            set(ec().replacing("ES256", with: "RS256")),
            set(rsa(bits: 512)), set(rsa(bits: 1024)), set(rsa(bits: 2048, e: "AQ")), set(rsa(bits: 2048, e: "AQAA")),
            set(rsa(bits: 2048, e: "Aw")),
            set(rsa(bits: 65536)),
            set(ec(), #"{"kty":"oct","alg":"HS256","kid":"h","k":"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"}"#),
            set(#"{"kty":"oct","alg":"HS256","kid":"h","k":"AAAA"}"#),
            set("1"), Array("[]".utf8), Array(#"{"keys":{}}"#.utf8), Array("{}".utf8), [],
            set(ec()) + [UInt8](repeating: 0x20, count: 10 << 20),
        ]

        for (number, document) in poisoned.enumerated() {
            #expect(throws: JWKSetRefused(), "number \(number)") { try JWKSet(parsing: document) }
        }
    }

    @Test("keys of other types, algorithms and uses are passed over")
    func ignored() throws {
        let keys = try JWKSet(
            parsing: set(
                ec(), rsa(bits: 2048), #"{"kty":"OKP","crv":"Ed25519","alg":"EdDSA","kid":"o","x":"AAAA"}"#,
                ec("enc").replacing(#""use":"sig""#, with: #""use":"enc""#), ec("noalg").replacing(#""alg":"ES256","#, with: ""),
                ec("").replacing(#""kid":"","#, with: "")))

        #expect(keys.keyIDs == ["a", "r"])
    }
}

@Suite("ID tokens: our reading and libjwt's")
struct LibjwtReadingTests {
    /// The payload, read and checked as `ProviderSignature.payload` does, by the forge's keys.
    private func payload(of token: String, _ forge: TokenForge) throws -> [UInt8]? {
        let keys = try JWKSet(parsing: Array(forge.ring.jwks.utf8)).keys
        guard let jws = ProviderSignature.read(token, algorithm: .es256), let key = keys[jws.header.keyID],
            ProviderSignature.isSigned(jws, token, by: key)
        else { return nil }
        return jws.payload
    }

    @Test("a token with typ JWT or none passes both", arguments: [#","typ":"JWT""#, ""])
    func agree(type: String) throws {
        let forge = try TokenForge()
        let token = try forge.signed(#"{"alg":"ES256","kid":"\#(forge.keyID)"\#(type)}"#, TokenForge.payload())

        #expect(try payload(of: token, forge) == Array(TokenForge.payload().utf8))
        let key = try #require(forge.ring.key(forge.keyID))
        #expect(LibjwtReading.agrees(token, key: key))
    }

    @Test("libjwt refuses a signature by another key, a missing one, and a key without PEM")
    func disagree() throws {
        let forge = try TokenForge()
        let header = #"{"alg":"ES256","kid":"\#(forge.keyID)"}"#
        let key = try #require(forge.ring.key(forge.keyID))
        let good = try forge.signed(header, TokenForge.payload())

        let forged = try forge.signed(header, TokenForge.payload(), by: forge.otherKey)

        #expect(!LibjwtReading.agrees(forged, key: key))
        #expect(!LibjwtReading.agrees(Base64URL.encode(Array(#"{"alg":"none"}"#.utf8)) + ".e30.", key: key))
        #expect(!LibjwtReading.agrees(good, key: .hs256(SecretBytes(Array(forge.key.publicKey.pem.utf8)))))
        #expect(LibjwtReading.agrees(good, key: key))
    }

    @Test("an access token is no ID token, and a payload must be a JSON object")
    func refused() throws {
        let forge = try TokenForge()
        let header = #"{"alg":"ES256","kid":"\#(forge.keyID)"}"#

        #expect(try payload(of: forge.good, forge) == nil)
        #expect(try payload(of: forge.signed(header, "diary"), forge) == nil)
        #expect(try payload(of: forge.signed(header, #"{"a":1}"#), forge) != nil)
    }

    @Test("libjwt cannot read at+jwt: the reason why access tokens go past it")
    func accessTokenType() throws {
        let forge = try TokenForge()

        let token = try forge.good
        let key = try #require(forge.ring.key(forge.keyID))

        #expect(!LibjwtReading.agrees(token, key: key))
    }
}
