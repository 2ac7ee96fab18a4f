import FoundationEssentials
import Testing

@testable import DiaryCrypto

@Suite("Master key ring")
struct MasterKeyRingTests {
    private static let golden = hex(
        "010198a1b2c3d47e5f8a9b0c1d2e3f4051a0a1a2a3a4a5a6a7a8a9aaab2ccb02f694568fda5fcd23725052aa3e024f6b650a24f0018f646d307cdecddc777eefc4a55c156ffaa63d0e303b1f2a"
    )

    private func rotated() throws -> MasterKeyRing {
        try MasterKeyRing(current: "2027-01", keys: ["2026-01": Golden.master, "2027-01": .random(32)])
    }

    @Test("the golden wrapped key comes out")
    func goldenVector() throws {
        let ring = try Golden.ring()

        let wrapped = try ring.wrap(Golden.key, tenant: Golden.tenant, user: Golden.user, nonce: Golden.nonce)

        #expect(wrapped == WrappedKey(keyID: Golden.key.id, masterID: "2026-01", bytes: Self.golden))
    }

    @Test("a wrapped key comes back as the same key")
    func roundTrip() throws {
        let ring = try Golden.ring()
        let key = DataKey.generate()

        let opened = try ring.unwrap(ring.wrap(key, tenant: Golden.tenant, user: Golden.user), tenant: Golden.tenant, user: Golden.user)

        #expect(opened.id == key.id)
        #expect(opened.subkey(.content).bytes() == key.subkey(.content).bytes())
    }

    @Test("G3: a wrapped key opens for no other tenant, user, key id or master")
    func binding() throws {
        let ring = try MasterKeyRing(current: "2026-01", keys: ["2026-01": Golden.master, "twin": Golden.master])
        let other = Golden.row
        var relabelled = Self.golden
        relabelled.replaceSubrange(1..<17, with: other.bytes)

        func unwrap(
            _ bytes: [UInt8], id: UUID = Golden.key.id, master: String = "2026-01", tenant: UUID = Golden.tenant, user: UUID = Golden.user
        ) throws(CryptoError) {
            _ = try ring.unwrap(WrappedKey(keyID: id, masterID: master, bytes: bytes), tenant: tenant, user: user)
        }

        #expect(throws: Never.self) { try unwrap(Self.golden) }
        #expect(throws: CryptoError.refused) { try unwrap(Self.golden, tenant: other) }
        #expect(throws: CryptoError.refused) { try unwrap(Self.golden, user: other) }
        #expect(throws: CryptoError.refused) { try unwrap(Self.golden, tenant: Golden.user, user: Golden.tenant) }
        #expect(throws: CryptoError.wrongKey) { try unwrap(Self.golden, id: other) }
        #expect(throws: CryptoError.refused) { try unwrap(relabelled, id: other) }
        #expect(throws: CryptoError.refused) { try unwrap(Self.golden, master: "twin") }
        #expect(throws: CryptoError.unknownMaster) { try unwrap(Self.golden, master: "gone") }
        for index in Self.golden.indices { #expect(throws: CryptoError.self) { try unwrap(flipped(Self.golden, at: index)) } }
        for count in 0..<Self.golden.count { #expect(throws: CryptoError.self) { try unwrap(Array(Self.golden.prefix(count))) } }
    }

    @Test("after rotation old keys open, new ones are wrapped by the new master, and rewrapping keeps the data key")
    func rotation() throws {
        let ring = try rotated()

        let opened = try ring.unwrap(
            WrappedKey(keyID: Golden.key.id, masterID: "2026-01", bytes: Self.golden), tenant: Golden.tenant, user: Golden.user)
        let rewrapped = try ring.wrap(opened, tenant: Golden.tenant, user: Golden.user)

        #expect(rewrapped.masterID == "2027-01")
        #expect(rewrapped.keyID == Golden.key.id)
        #expect(throws: CryptoError.unknownMaster) { try Golden.ring().unwrap(rewrapped, tenant: Golden.tenant, user: Golden.user) }
        #expect(try ring.unwrap(rewrapped, tenant: Golden.tenant, user: Golden.user).secret.bytes() == Golden.key.secret.bytes())
    }

    @Test("a ring without its current key, with a short key or an empty id is refused, and so is a short data key")
    func invalid() throws {
        #expect(throws: CryptoError.unknownMaster) { try MasterKeyRing(current: "a", keys: [:]) }
        #expect(throws: CryptoError.unknownMaster) { try MasterKeyRing(current: "a", keys: ["b": .random(32)]) }
        #expect(throws: CryptoError.invalidKey) { try MasterKeyRing(current: "a", keys: ["a": .random(31)]) }
        #expect(throws: CryptoError.invalidKey) { try MasterKeyRing(current: "", keys: ["": .random(32)]) }
        #expect(throws: CryptoError.invalidKey) {
            try Golden.ring().wrap(DataKey(id: Golden.row, secret: .random(16)), tenant: Golden.tenant, user: Golden.user)
        }
    }
}
