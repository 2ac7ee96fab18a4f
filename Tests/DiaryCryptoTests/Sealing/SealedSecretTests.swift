import Testing
import WireFormats

@testable import DiaryCrypto

@Suite("Sealed secrets of the service")
struct SealedSecretTests {
    private static let context = ["signing_keys", "sealed", "kid"]
    private static let key = HKDFSHA256.derive(Golden.master, info: "diary/v1/seal")

    @Test("the golden vector of docs/sealed-format.md comes out")
    func golden() throws {
        #expect(Hex.encode(Self.key.bytes()) == "23b3ccbd8750167da9ebdf6e4188175b9594d340c6a3fd6ac8b384946f2f29db")
        let sealed = try SealedSecret.seal(ascii("secret"), key: Self.key, context: Self.context + ["2026-01"], nonce: Golden.nonce)

        #expect(Hex.encode(sealed) == "01a0a1a2a3a4a5a6a7a8a9aaabdbeaab4e924179cbb26e861f2b7c0bd4f4a270487ab2")
        #expect(try Golden.ring().open(sealed, under: "2026-01", context: Self.context) == ascii("secret"))
    }

    @Test("G3: it opens only in its own context, under its own master, and whole")
    func binding() throws {
        let ring = try MasterKeyRing(current: "a", keys: ["a": Golden.master, "b": Golden.master])
        let sealed = try ring.seal(ascii("secret"), context: Self.context)

        #expect(try ring.open(sealed.bytes, under: "a", context: Self.context) == ascii("secret"))
        #expect(throws: CryptoError.refused) { try ring.open(sealed.bytes, under: "b", context: Self.context) }
        #expect(throws: CryptoError.unknownMaster) { try ring.open(sealed.bytes, under: "c", context: Self.context) }
        for other in [["signing_keys", "sealed", "kie"], ["signing_keyssealed", "kid"], ["signing_keys", "sealed"], []] {
            #expect(throws: CryptoError.refused) { try ring.open(sealed.bytes, under: "a", context: other) }
        }
        for index in sealed.bytes.indices {
            #expect(throws: CryptoError.self) { try ring.open(flipped(sealed.bytes, at: index), under: "a", context: Self.context) }
        }
        for count in 0..<sealed.bytes.count {
            #expect(throws: CryptoError.self) { try ring.open(Array(sealed.bytes.prefix(count)), under: "a", context: Self.context) }
        }
    }
}
