import Testing

@testable import DiaryCrypto

@Suite("Secrets and random bytes")
struct SecretBytesTests {
    @Test("a secret shows in no description, reflection or dump, nor through the types that hold one")
    func noLeak() throws {
        let secret = SecretBytes(ascii("correct horse"))
        let key = DataKey(id: Golden.row, secret: SecretBytes(ascii("correct horse battery staple 32b")))
        let signing = try P256PrivateKey.generate()

        var texts = ["\(secret)", String(reflecting: secret), "\(key)", String(reflecting: key), "\(signing)", String(reflecting: signing)]
        for value in [secret, key, signing, try Golden.ring()] as [Any] {
            var text = ""
            dump(value, to: &text)
            texts.append(text)
        }

        #expect("\(secret)" == "<secret>")
        #expect(Mirror(reflecting: secret).children.isEmpty)
        // The bytes of "corr" as a description, a reflection or a dump writes them. One byte alone would
        // also be found in the address of an object that a dump names.
        let bytes = /99\D+111\D+114\D+114/
        var bare = ""
        dump(ascii("correct"), to: &bare)
        #expect(bare.contains(bytes))
        for text in texts {
            #expect(!text.contains("correct"))
            #expect(!text.contains(bytes))
            // In hexadecimal digits, and in Base64.
            #expect(!text.lowercased().contains("636f7272") && !text.contains("Y29ycm"))
            #expect(!text.contains("BEGIN"))
        }
    }

    @Test("a secret gives back its bytes and its count")
    func roundTrip() {
        #expect(SecretBytes([1, 2, 3]).bytes() == [1, 2, 3])
        #expect(SecretBytes([1, 2, 3]).count == 3)
        #expect(SecretBytes([]).bytes() == [])
    }

    @Test("random bytes have the requested count and do not repeat")
    func random() {
        #expect(SecureRandom.bytes(0).isEmpty)
        #expect(SecureRandom.bytes(1000).count == 1000)
        #expect(SecureRandom.bytes(32) != SecureRandom.bytes(32))
        #expect(SecretBytes.random(32).bytes() != SecretBytes.random(32).bytes())
    }
}
