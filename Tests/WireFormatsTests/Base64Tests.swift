import Testing

@testable import DiaryCrypto

@Suite("Encodings")
struct EncodingTests {
    @Test(
        "base64url gives RFC 4648's texts without padding",
        arguments: [
            ("", ""), ("f", "Zg"), ("fo", "Zm8"), ("foo", "Zm9v"), ("foob", "Zm9vYg"), ("fooba", "Zm9vYmE"), ("foobar", "Zm9vYmFy"),
        ])
    func base64url(plain: String, encoded: String) {
        #expect(Base64URL.encode(ascii(plain)) == encoded)
        #expect(Base64URL.decode(encoded) == ascii(plain))
    }

    @Test("base64url uses the URL alphabet")
    func alphabet() {
        #expect(Base64URL.encode([0xfb, 0xff, 0xbf]) == "-_-_")
        #expect(Base64URL.decode("-_-_") == [0xfb, 0xff, 0xbf])
    }

    @Test("every length of random bytes survives base64url and hex")
    func roundTrips() {
        for count in 0..<200 {
            let bytes = SecureRandom.bytes(count)
            #expect(Base64URL.decode(Base64URL.encode(bytes)) == bytes)
            #expect(Hex.decode(Hex.encode(bytes)) == bytes)
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

    @Test("hex writes lower case, reads both, and refuses the rest")
    func hexadecimal() {
        #expect(Hex.encode([0x00, 0x9f, 0xff]) == "009fff")
        #expect(Hex.decode("009FfF") == [0x00, 0x9f, 0xff])
        for text in ["0", "0g", " 00", "0x00", "００", "/0", ":0", "@0", "`0"] { #expect(Hex.decode(text) == nil) }
    }
}
