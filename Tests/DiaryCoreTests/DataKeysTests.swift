import DiaryCore
import DiaryCrypto
import FoundationEssentials
import Testing

@testable import DiaryWorker

/// Row G4: an opened key does not outlive its account in memory.
@Suite("Opened data keys")
struct DataKeysTests {
    /// A store that can be away, and counts its reads.
    private final class Store: KeyStore {
        let keys = OneKey()
        let isAway = Shared(false)
        let questions = Shared(0)

        func wrappedKey(of owner: Owner) async throws(DiaryError) -> WrappedKey? {
            questions.change { $0 += 1 }
            if isAway.now { throw .unavailable(cause: "test") }
            return try await keys.wrappedKey(of: owner)
        }
        func rehearse(_ key: WrappedKey, for owner: Owner) async throws(DiaryError) {}
        func insert(_ key: WrappedKey, for owner: Owner) async throws(DiaryError) { try await keys.insert(key, for: owner) }
        func destroy(keyOf owner: Owner) async throws(DiaryError) { try await keys.destroy(keyOf: owner) }
    }

    private let store = Store()
    private let clock = Shared(ContinuousClock.now)
    private let keys: DataKeys
    private let owner = Owner.someone

    init() throws {
        keys = DataKeys(store: store, ring: try MasterKeyRing(current: "k", keys: ["k": .random(32)])) { [clock] in clock.now }
    }

    @Test("a key is read once in a minute, and one that was destroyed elsewhere is refused after it")
    func fresh() async throws {
        let made = try await keys.make(for: owner)
        for _ in 0..<5 { #expect(try await keys.key(of: owner).id == made.id) }
        #expect(store.questions.now == 1)

        try await store.keys.destroy(keyOf: owner)
        clock.change { $0 += .seconds(59) }
        #expect(try await keys.key(of: owner).id == made.id)
        clock.change { $0 += .seconds(2) }

        await #expect(throws: DiaryError.notFound) { try await keys.key(of: owner) }
        await #expect(throws: DiaryError.notFound) { try await keys.key(of: owner) }
    }

    @Test("while the store is away a known key serves for ten minutes, and no longer")
    func away() async throws {
        let made = try await keys.make(for: owner)
        _ = try await keys.key(of: owner)
        store.isAway.change { $0 = true }

        clock.change { $0 += .seconds(599) }
        #expect(try await keys.key(of: owner).id == made.id)
        clock.change { $0 += .seconds(2) }
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
        clock.change { $0 += .seconds(601) }
        small.dropOld()
        store.isAway.change { $0 = true }
        for owner in people { await #expect(throws: DiaryError.self) { try await small.key(of: owner) } }

        store.isAway.change { $0 = false }
        for owner in people + people { _ = try await small.key(of: owner) }
        store.isAway.change { $0 = true }
        clock.change { $0 += .seconds(61) }
        var kept = 0
        for owner in people where (try? await small.key(of: owner)) != nil { kept += 1 }
        #expect(kept == 3)
    }
}
