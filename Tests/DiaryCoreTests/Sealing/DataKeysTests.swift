import DiaryCrypto
import DiaryTesting
import FoundationEssentials
import TestSupport
import Testing

@testable import DiaryCore

/// Row G4: an opened key does not outlive its account in memory.
@Suite("Opened data keys")
struct DataKeysTests {
    private let store = MemoryKeyStore()
    private let clock = ManualClock()
    private let keys: DataKeys
    private let owner = Owner(tenant: TenantID(UUID()), user: UserID(UUID()))

    init() throws {
        keys = DataKeys(store: store, ring: try MasterKeyRing(current: "k", keys: ["k": .random(32)])) { [clock] in clock.now }
    }

    @Test("a key is read once in a minute, and one that was destroyed elsewhere is refused after it")
    func fresh() async throws {
        let made = try await keys.make(for: owner)
        for _ in 0..<5 { #expect(try await keys.key(of: owner).id == made.id) }
        #expect(store.reads == 1)

        try await store.destroy(keyOf: owner)
        clock.advance(.seconds(59))
        #expect(try await keys.key(of: owner).id == made.id)
        clock.advance(.seconds(2))

        await #expect(throws: DiaryError.notFound) { try await keys.key(of: owner) }
        await #expect(throws: DiaryError.notFound) { try await keys.key(of: owner) }
    }

    @Test("while the store is away a known key serves for ten minutes, and no longer")
    func away() async throws {
        let made = try await keys.make(for: owner)
        _ = try await keys.key(of: owner)
        store.setAway(true)

        clock.advance(.seconds(599))
        #expect(try await keys.key(of: owner).id == made.id)
        clock.advance(.seconds(2))
        await #expect(throws: DiaryError.self) { try await keys.key(of: owner) }
    }

    @Test("a key unused for ten minutes is dropped, and keys in use stay within the bound")
    func dropped() async throws {
        let small = DataKeys(store: store, ring: try MasterKeyRing(current: "k", keys: ["k": .random(32)]), capacity: 3) { [clock] in
            clock.now
        }
        let people = (0..<5).map { _ in Owner(tenant: TenantID(UUID()), user: UserID(UUID())) }
        for owner in people {
            _ = try await small.make(for: owner)
            _ = try await small.key(of: owner)
        }
        clock.advance(.seconds(601))
        small.dropOld()
        store.setAway(true)
        for owner in people { await #expect(throws: DiaryError.self) { try await small.key(of: owner) } }

        store.setAway(false)
        for owner in people + people { _ = try await small.key(of: owner) }
        store.setAway(true)
        clock.advance(.seconds(61))
        var kept = 0
        for owner in people where (try? await small.key(of: owner)) != nil { kept += 1 }
        #expect(kept == 3)
    }
}
