package import DiaryCrypto
import Synchronization

/// Opened data keys, kept for a while in a bounded cache. Writes check in SQL that the key is still the live one, so a cached key of an
/// erased account can write nothing.
package final class DataKeys: Sendable {
    private struct Cache {
        var keys: [Owner: DataKey] = [:]
        /// Owners in order of arrival: the oldest leaves when the cache is full.
        var order: [Owner] = []
        var next = 0
    }

    private let store: any KeyStore
    private let ring: MasterKeyRing
    private let capacity: Int
    private let cache = Mutex(Cache())

    package init(store: any KeyStore, ring: MasterKeyRing, capacity: Int = 10_000) {
        self.store = store
        self.ring = ring
        self.capacity = max(1, capacity)
    }

    /// - Throws: `notFound` when the account's key was destroyed.
    package func key(of owner: Owner) async throws(DiaryError) -> DataKey {
        if let key = cache.withLock({ $0.keys[owner] }) { return key }
        guard let wrapped = try await store.wrappedKey(of: owner) else { throw .notFound }
        let key: DataKey
        do {
            key = try ring.unwrap(wrapped, tenant: owner.tenant.uuid, user: owner.user.uuid)
        } catch {
            throw DiaryError(.internalError, cause: "data key does not open under master \(wrapped.masterID)")
        }
        keep(key, of: owner)
        return key
    }

    /// Makes and stores a key for somebody about to sign up.
    package func make(for owner: Owner) async throws(DiaryError) -> DataKey {
        let key = DataKey.generate()
        let wrapped: WrappedKey
        do {
            wrapped = try ring.wrap(key, tenant: owner.tenant.uuid, user: owner.user.uuid)
        } catch {
            throw DiaryError(.internalError, cause: "wrapping failed")
        }
        try await store.insert(wrapped, for: owner)
        return key
    }

    package func destroy(of owner: Owner) async throws(DiaryError) {
        forget(owner)
        try await store.destroy(keyOf: owner)
    }

    /// After a write said that the key is not the live one.
    package func forget(_ owner: Owner) {
        cache.withLock { cache in
            _ = cache.keys.removeValue(forKey: owner)
        }
    }

    private func keep(_ key: DataKey, of owner: Owner) {
        cache.withLock { cache in
            if cache.keys.updateValue(key, forKey: owner) != nil { return }
            if cache.order.count < capacity {
                cache.order.append(owner)
            } else {
                cache.keys.removeValue(forKey: cache.order[cache.next])
                cache.order[cache.next] = owner
                cache.next = (cache.next + 1) % capacity
            }
        }
    }
}
