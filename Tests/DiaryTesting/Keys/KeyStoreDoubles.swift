package import DiaryCrypto
import Synchronization

@testable package import DiaryCore

/// Has one key for every owner.
package struct FixedKeyStore: KeyStore {
    private let key = DataKey.generate()
    private let ring: MasterKeyRing

    package init(ring: MasterKeyRing) { self.ring = ring }

    package func wrappedKey(of owner: Owner) async throws(DiaryError) -> WrappedKey? {
        do { return try ring.wrap(key, tenant: owner.tenant.uuid, user: owner.user.uuid) } catch { throw DiaryError(.internalError) }
    }
    package func rehearse(_ key: WrappedKey, for owner: Owner) async throws(DiaryError) {}
    package func insert(_ key: WrappedKey, for owner: Owner) async throws(DiaryError) {}
    package func destroy(keyOf owner: Owner) async throws(DiaryError) {}
}

/// Keys in memory; reading can be made to fail.
package final class MemoryKeyStore: KeyStore {
    private let keys = Mutex<[Owner: WrappedKey]>([:])
    private let readCount = Mutex(0)
    private let away = Mutex(false)

    package init() {}

    /// How often a key was asked for.
    package var reads: Int { readCount.withLock { $0 } }
    package func setAway(_ isAway: Bool) { away.withLock { $0 = isAway } }

    package func wrappedKey(of owner: Owner) async throws(DiaryError) -> WrappedKey? {
        readCount.withLock { $0 += 1 }
        if away.withLock({ $0 }) { throw .unavailable(cause: "test") }
        return keys.withLock { $0[owner] }
    }
    package func rehearse(_ key: WrappedKey, for owner: Owner) async throws(DiaryError) {}
    package func insert(_ key: WrappedKey, for owner: Owner) async throws(DiaryError) { keys.withLock { $0[owner] = key } }
    package func destroy(keyOf owner: Owner) async throws(DiaryError) { keys.withLock { $0[owner] = nil } }
}
