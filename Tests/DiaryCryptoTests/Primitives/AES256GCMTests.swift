import Testing
import WireFormats

@testable import DiaryCrypto

@Suite("AES-256-GCM")
struct AES256GCMTests {
    private static let zero = String(repeating: "0", count: 64)

    /// Cases 13, 14 and 16 of the GCM specification (McGrew and Viega, appendix B).
    @Test(
        "the GCM specification's 256-bit cases hold both ways",
        arguments: [
            (zero, "000000000000000000000000", "", "", "530f8afbc74536b9a963b4f1c4cb738b"),
            (
                zero, "000000000000000000000000", "00000000000000000000000000000000", "",
                "cea7403d4d606b6e074ec5d3baf39d18d0d1c8a799996bf0265b98b5d48ab919"
            ),
            (
                "feffe9928665731c6d6a8f9467308308feffe9928665731c6d6a8f9467308308", "cafebabefacedbaddecaf888",
                "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a721c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b39",
                "feedfacedeadbeeffeedfacedeadbeefabaddad2",
                "522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa8cb08e48590dbb3da7b08b1056828838c5f61e6393ba7a0abcc9f662"
                    + "76fc6ece0f4e1768cddf8853bb2d551b"
            ),
        ])
    func vectors(key: String, nonce: String, plain: String, additional: String, sealed: String) throws {
        let secret = SecretBytes(hex(key))

        let result = try AES256GCM.seal(hex(plain), key: secret, nonce: hex(nonce), additional: hex(additional))

        #expect(Hex.encode(result) == sealed)
        #expect(try AES256GCM.open(result, key: secret, nonce: hex(nonce), additional: hex(additional)) == hex(plain))
    }

    @Test("every flipped bit of ciphertext, tag, nonce or additional data is refused")
    func flips() throws {
        let key = SecretBytes.random(32)
        let nonce = SecureRandom.bytes(12)
        let sealed = try AES256GCM.seal([1, 2, 3], key: key, nonce: nonce, additional: [9, 9])

        for index in sealed.indices {
            #expect(throws: CryptoError.refused) {
                try AES256GCM.open(flipped(sealed, at: index), key: key, nonce: nonce, additional: [9, 9])
            }
        }
        for index in nonce.indices {
            #expect(throws: CryptoError.refused) {
                try AES256GCM.open(sealed, key: key, nonce: flipped(nonce, at: index), additional: [9, 9])
            }
        }
        #expect(throws: CryptoError.refused) { try AES256GCM.open(sealed, key: key, nonce: nonce, additional: [9, 8]) }
        #expect(throws: CryptoError.refused) { try AES256GCM.open(sealed, key: key, nonce: nonce, additional: []) }
        #expect(throws: CryptoError.refused) { try AES256GCM.open(sealed, key: .random(32), nonce: nonce, additional: [9, 9]) }
    }

    @Test("a key, nonce or sealed text of another length is refused without a trap")
    func lengths() {
        let key = SecretBytes.random(32)
        let nonce = SecureRandom.bytes(12)

        #expect(throws: CryptoError.invalidKey) { try AES256GCM.seal([1], key: .random(16), nonce: nonce, additional: []) }
        #expect(throws: CryptoError.invalidLength) { try AES256GCM.seal([1], key: key, nonce: [], additional: []) }
        #expect(throws: CryptoError.invalidKey) {
            try AES256GCM.open(Array(repeating: 0, count: 20), key: .random(31), nonce: nonce, additional: [])
        }
        for count in 0..<16 {
            #expect(throws: CryptoError.malformed) {
                try AES256GCM.open(Array(repeating: 0, count: count), key: key, nonce: nonce, additional: [])
            }
        }
    }
}
