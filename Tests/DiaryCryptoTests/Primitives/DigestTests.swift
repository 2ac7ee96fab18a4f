import Testing
import WireFormats

@testable import DiaryCrypto

@Suite("Digests and derivation")
struct DigestTests {
    @Test(
        "SHA-256 gives FIPS 180-4's digests",
        arguments: [
            ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
            ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
            (
                "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
                "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
            ),
        ])
    func sha256(message: String, digest: String) {
        #expect(Hex.encode(SHA256.digest(ascii(message))) == digest)
    }

    @Test("a streamed million of a's gives FIPS 180-4's digest, and the stream starts anew")
    func stream() {
        var stream = SHA256Stream()
        let piece = [UInt8](repeating: UInt8(ascii: "a"), count: 999)
        var left = 1_000_000

        while left > 0 {
            stream.update(piece.prefix(left))
            left -= min(left, piece.count)
        }

        #expect(Hex.encode(stream.finish()) == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0")
        stream.update(ascii("abc"))
        #expect(stream.finish() == SHA256.digest(ascii("abc")))
    }

    @Test("a copied stream continues independently")
    func copiedStream() {
        var first = SHA256Stream()
        first.update(ascii("a"))

        var second = first
        second.update(ascii("x"))
        first.update(ascii("bc"))

        #expect(first.finish() == SHA256.digest(ascii("abc")))
        #expect(second.finish() == SHA256.digest(ascii("ax")))
    }

    @Test(
        "HMAC gives RFC 4231's codes",
        arguments: [
            (repeating(0x0b, 20), ascii("Hi There"), "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"),
            (ascii("Jefe"), ascii("what do ya want for nothing?"), "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"),
            (repeating(0xaa, 20), repeating(0xdd, 50), "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe"),
            (
                repeating(0xaa, 131), ascii("Test Using Larger Than Block-Size Key - Hash Key First"),
                "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
            ),
        ])
    func hmac(key: [UInt8], message: [UInt8], code: String) {
        #expect(Hex.encode(HMACSHA256.code(message, key: SecretBytes(key))) == code)
    }

    @Test("an altered or shorter code, or that of another message or key, is not valid")
    func hmacValidity() {
        let key = SecretBytes.random(32)
        let code = HMACSHA256.code([1, 2, 3], key: key)

        #expect(HMACSHA256.isValid(code, [1, 2, 3], key: key))
        #expect(!HMACSHA256.isValid(flipped(code, at: 31), [1, 2, 3], key: key))
        #expect(!HMACSHA256.isValid(Array(code.dropLast()), [1, 2, 3], key: key))
        #expect(!HMACSHA256.isValid([], [1, 2, 3], key: key))
        #expect(!HMACSHA256.isValid(code, [1, 2], key: key))
        #expect(!HMACSHA256.isValid(code, [1, 2, 3], key: .random(32)))
    }

    @Test(
        "HKDF gives RFC 5869's output",
        arguments: [
            (
                repeating(0x0b, 22), Array(0x00...0x0c), Array(0xf0...0xf9),
                "3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865"
            ),
            (
                Array(0x00...0x4f), Array(0x60...0xaf), Array(0xb0...0xff),
                "b11e398dc80327a1c8e7f78c596a49344f012eda2d4efad8a050cc4c19afa97c59045a99cac7827271cb41c65e590e09"
                    + "da3275600c2f09b8367793a9aca3db71cc30c58179ec3e87c14c01d5c1f3434f1d87"
            ),
            (
                repeating(0x0b, 22), [], [],
                "8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d9d201395faa4b61a96c8"
            ),
        ] as [([UInt8], [UInt8], [UInt8], String)])
    func hkdf(key: [UInt8], salt: [UInt8], info: [UInt8], output: String) {
        let derived = HKDFSHA256.derive(SecretBytes(key), salt: salt, info: info, count: output.count / 2)

        #expect(Hex.encode(derived.bytes()) == output)
    }

    @Test("constant-time comparison tells equal from different")
    func constantTime() {
        #expect(ConstantTime.equal([], []))
        #expect(ConstantTime.equal([1, 2], [1, 2]))
        #expect(!ConstantTime.equal([1, 2], [1, 3]))
        #expect(!ConstantTime.equal([1, 2], [1, 2, 3]))
    }
}

private func repeating(_ byte: UInt8, _ count: Int) -> [UInt8] { [UInt8](repeating: byte, count: count) }
