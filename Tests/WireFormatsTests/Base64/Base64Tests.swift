import FoundationEssentials
import Testing
import WireFormats

@Suite("base64 and base64url")
struct Base64Tests {
    @Test(
        "base64url gives RFC 4648's texts without padding",
        arguments: [
            ("", ""), ("f", "Zg"), ("fo", "Zm8"), ("foo", "Zm9v"), ("foob", "Zm9vYg"), ("fooba", "Zm9vYmE"), ("foobar", "Zm9vYmFy"),
        ])
    func base64url(plain: String, encoded: String) {
        #expect(Base64URL.encode(Array(plain.utf8)) == encoded)
        #expect(Base64URL.decode(encoded) == Array(plain.utf8))
    }

    @Test("base64url uses the URL alphabet")
    func alphabet() {
        #expect(Base64URL.encode([0xfb, 0xff, 0xbf]) == "-_-_")
        #expect(Base64URL.decode("-_-_") == [0xfb, 0xff, 0xbf])
    }

    @Test("every length of random bytes survives both")
    func roundTrips() {
        for count in 0..<200 {
            let bytes = (0..<count).map { _ in UInt8.random(in: .min ... .max) }
            #expect(Base64URL.decode(Base64URL.encode(bytes)) == bytes)
            #expect(Base64.decode(Base64.encode(bytes)) == bytes)
        }
    }

    @Test(
        "base64url refuses padding, white space, other alphabets, impossible lengths and non-zero trailing bits",
        arguments: [
            "Zg==", "Zg=", "=", "Zm9v\n", " Zm9v", "Zm 9v", "-_+_", "/w", "A", "Zm9vA", "Zh", "Zm9", "Zé9v", "Zm9v\u{0}", "Zm9vYmF=",
        ])
    func strict(text: String) {
        #expect(Base64URL.decode(text) == nil)
    }

    @Test("base64 decodes only what it encodes")
    func base64() {
        for count in 0..<40 {
            let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ 7) }
            #expect(Base64.encode(bytes) == Data(bytes).base64EncodedString())
            #expect(Base64.decode(Base64.encode(bytes)) == bytes)
        }
        for text in [
            "A", "AA", "AA=", "AB==", "A===", "=AAA", "AA==\n", "-_==", "AAA=A", "=", "====", "AAAA====",
            "AAB=", "Zm9v\n", "AA==AA==", "AAé",
        ] {
            #expect(Base64.decode(text) == nil, "\(text)")
        }
    }
}
