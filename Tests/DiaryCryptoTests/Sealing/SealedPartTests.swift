import FoundationEssentials
import Testing
import WireFormats

@testable import DiaryCrypto

@Suite("Sealed parts")
struct SealedPartTests {
    private static let golden = hex(
        "010198a1b2c3d47e5f8a9b0c1d2e3f4051a0a1a2a3a4a5a6a7a8a9aaab81d44e22b7d85d1ca6a07b7133885a5d7760c56d4c72355e1f223f396bf912")

    @Test(
        "the golden subkeys come out",
        arguments: [
            (SealPurpose.content, "b94046fb55cf0865096b2f725dd6e151a36ec6c9d8e58ef1e6568947d4c28605"),
            (.audio, "b2314c0cf3df89e0d4cb5866369f1fbf8649fa941ef68249f49b1a9bcf6c2149"),
            (.index, "80463e628b6f69ad1bddf6371ee3ad2fc01b4fec058b6a32688fcbac3b60438f"),
            (.export, "39ed6c294913bdb0478ec7da19285373ea14fc1a0227cdd988ecb1e327f44229"),
        ])
    func subkeys(purpose: SealPurpose, expected: String) {
        #expect(Hex.encode(Golden.key.subkey(purpose).bytes()) == expected)
    }

    @Test("the golden part comes out and opens")
    func goldenVector() throws {
        let sealed = try SealedPart.seal(
            ascii("Today was good."), key: Golden.key, purpose: .content, context: Golden.context, nonce: Golden.nonce)

        #expect(sealed == Self.golden)
        #expect(try SealedPart.open(Self.golden, key: Golden.key, context: Golden.context) == ascii("Today was good."))
        #expect(SealedPart.keyID(of: Self.golden) == Golden.key.id)
    }

    @Test("parts of every size come back, each under a nonce of its own", arguments: [0, 1, 15, 16, 17, 65_536, 1_000_003])
    func sizes(count: Int) throws {
        let bytes = plain(count)

        let sealed = try SealedPart.seal(bytes, key: Golden.key, purpose: .index, context: Golden.context)
        let again = try SealedPart.seal(bytes, key: Golden.key, purpose: .index, context: Golden.context)

        #expect(sealed.count == count + 45)
        #expect(sealed[17..<29] != again[17..<29])
        #expect(try SealedPart.open(sealed, key: Golden.key, purpose: .index, context: Golden.context) == bytes)
    }

    @Test(
        "G3: a part opens in no other table, part, tenant, user, row or version",
        arguments: [
            PartContext(table: "exports", part: "personal", tenant: Golden.tenant, user: Golden.user, row: Golden.row, version: 7),
            PartContext(table: "entries", part: "machine", tenant: Golden.tenant, user: Golden.user, row: Golden.row, version: 7),
            PartContext(table: "entries", part: "personal", tenant: Golden.user, user: Golden.user, row: Golden.row, version: 7),
            PartContext(table: "entries", part: "personal", tenant: Golden.tenant, user: Golden.row, row: Golden.row, version: 7),
            PartContext(table: "entries", part: "personal", tenant: Golden.tenant, user: Golden.user, row: Golden.user, version: 7),
            PartContext(table: "entries", part: "personal", tenant: Golden.tenant, user: Golden.user, row: Golden.row, version: 8),
            PartContext(table: "entries", part: "personal", tenant: Golden.tenant, user: Golden.user, row: Golden.row, version: -7),
            PartContext(table: "entries", part: "personal", tenant: Golden.user, user: Golden.tenant, row: Golden.row, version: 7),
            PartContext(table: "entriesp", part: "ersonal", tenant: Golden.tenant, user: Golden.user, row: Golden.row, version: 7),
        ])
    func binding(elsewhere: PartContext) {
        #expect(throws: CryptoError.refused) { try SealedPart.open(Self.golden, key: Golden.key, context: elsewhere) }
    }

    @Test("G3: a part opens for no other purpose and with no other key, whatever id that key claims")
    func keys() {
        for purpose in SealPurpose.allCases where purpose != .content {
            #expect(throws: CryptoError.refused) {
                try SealedPart.open(Self.golden, key: Golden.key, purpose: purpose, context: Golden.context)
            }
        }
        #expect(throws: CryptoError.wrongKey) { try SealedPart.open(Self.golden, key: .generate(), context: Golden.context) }
        #expect(throws: CryptoError.refused) {
            try SealedPart.open(Self.golden, key: DataKey(id: Golden.key.id, secret: .random(32)), context: Golden.context)
        }
        let renamed = DataKey(id: Golden.row, secret: Golden.key.secret)
        var relabelled = Self.golden
        relabelled.replaceSubrange(1..<17, with: Golden.row.bytes)
        #expect(throws: CryptoError.refused) { try SealedPart.open(relabelled, key: renamed, context: Golden.context) }
    }

    @Test("texts in the additional data carry their length")
    func unambiguous() {
        let a = PartContext(table: "ab", part: "c", tenant: Golden.tenant, user: Golden.user, row: Golden.row, version: 1)
        let b = PartContext(table: "a", part: "bc", tenant: Golden.tenant, user: Golden.user, row: Golden.row, version: 1)

        #expect(a.additional != b.additional)
        #expect(
            Hex.encode(Golden.context.additional)
                == "0100000007656e747269657300000008706572736f6e616c11111111222243338444555555555555"
                + "66666666777748889999aaaaaaaaaaaa0198a1b2c3d47e5f8a9b0c1d2e3f40520000000000000007")
    }

    @Test("every flipped bit and every truncation is refused without a trap")
    func damage() {
        for index in Self.golden.indices {
            #expect(throws: CryptoError.self) {
                try SealedPart.open(flipped(Self.golden, at: index), key: Golden.key, context: Golden.context)
            }
        }
        for count in 0..<Self.golden.count {
            #expect(throws: CryptoError.self) {
                try SealedPart.open(Array(Self.golden.prefix(count)), key: Golden.key, context: Golden.context)
            }
        }
        #expect(throws: CryptoError.refused) { try SealedPart.open(Self.golden + [0], key: Golden.key, context: Golden.context) }
        #expect(throws: CryptoError.unsupportedVersion) {
            try SealedPart.open([2] + Self.golden.dropFirst(), key: Golden.key, context: Golden.context)
        }
        #expect(SealedPart.keyID(of: Array(Self.golden.prefix(44))) == nil)
        #expect(SealedPart.keyID(of: []) == nil)
    }
}
