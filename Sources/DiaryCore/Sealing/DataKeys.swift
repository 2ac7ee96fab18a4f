package import DiaryCrypto
import FoundationEssentials
import Synchronization

/// A bounded cache of opened data keys. Writes check in SQL that the key is still the live one, so a cached key of an erased account can
/// write nothing; and a cached key outlives its account by a minute at most while the store answers, because it is read again after that.
package final class DataKeys: Sendable {
    private struct Kept {
        var key: DataKey
        var readAt: ContinuousClock.Instant
    }

    private struct Cache {
        var keys: [Owner: Kept] = [:]
        /// Owners in order of insertion: the oldest is removed when the cache is full.
        var order: [Owner] = []
        var next = 0
    }

    /// After this time a key is read again.
    static let freshFor = Duration.seconds(60)
    /// While the store is unavailable an older key is still used; after this time it is dropped.
    static let keptFor = Duration.seconds(600)

    private let store: any KeyStore
    private let ring: MasterKeyRing
    private let capacity: Int
    private let now: @Sendable () -> ContinuousClock.Instant
    private let cache = Mutex(Cache())

    package init(
        store: any KeyStore, ring: MasterKeyRing, capacity: Int = 10_000, now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
    ) {
        self.store = store
        self.ring = ring
        self.capacity = max(1, capacity)
        self.now = now
    }

    /// - Throws: `notFound` when the account's key was destroyed.
    package func key(of owner: Owner) async throws(DiaryError) -> DataKey {
        let known = cache.withLock { $0.keys[owner] }
        let age = known.map { $0.readAt.duration(to: now()) }
        if let known, let age, age < Self.freshFor { return known.key }
        let wrapped: WrappedKey?
        do throws(DiaryError) { wrapped = try await store.wrappedKey(of: owner) } catch {
            if let known, let age, age < Self.keptFor { return known.key }
            throw error
        }
        guard let wrapped else {
            evict(owner)
            throw .notFound
        }
        let key: DataKey
        do {
            key = try ring.unwrap(wrapped, tenant: owner.tenant.uuid, user: owner.user.uuid)
        } catch {
            throw DiaryError(.internalError, cause: "data key does not open under master \(wrapped.masterID)")
        }
        keep(key, of: owner)
        return key
    }

    /// Makes and stores a key for a sign-up.
    package func make(for owner: Owner) async throws(DiaryError) -> DataKey {
        let key = DataKey.generate()
        try await store.insert(try wrap(key, for: owner), for: owner)
        return key
    }

    /// Does the work of `make` for an owner who does not exist; nothing of it is stored.
    func rehearse(in tenant: TenantID, at now: Date) async throws(DiaryError) {
        let placeholder = Owner.placeholder(in: tenant, at: now)
        try await store.rehearse(try wrap(DataKey.generate(), for: placeholder), for: placeholder)
    }

    private func wrap(_ key: DataKey, for owner: Owner) throws(DiaryError) -> WrappedKey {
        do {
            return try ring.wrap(key, tenant: owner.tenant.uuid, user: owner.user.uuid)
        } catch {
            throw DiaryError(.internalError, cause: "wrapping failed")
        }
    }

    package func destroy(of owner: Owner) async throws(DiaryError) {
        evict(owner)
        try await store.destroy(keyOf: owner)
    }

    /// Called after a write was refused because the key is not the live one.
    package func evict(_ owner: Owner) {
        cache.withLock { cache in
            _ = cache.keys.removeValue(forKey: owner)
        }
    }

    /// Drops keys that were not read lately: the key of an account that was erased by another process does not stay in memory.
    package func dropOld() {
        let now = now()
        cache.withLock { cache in
            let old = cache.keys.filter { $0.value.readAt.duration(to: now) >= Self.keptFor }
            guard !old.isEmpty else { return }
            cache.keys = cache.keys.filter { old[$0.key] == nil }
            cache.order = cache.keys.sorted { $0.value.readAt < $1.value.readAt }.map(\.key)
            cache.next = 0
        }
    }

    private func keep(_ key: DataKey, of owner: Owner) {
        let kept = Kept(key: key, readAt: now())
        cache.withLock { cache in
            if cache.keys.updateValue(kept, forKey: owner) != nil { return }
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

extension DataKeys {
    package func vault(of owner: Owner) async throws(DiaryError) -> Vault {
        Vault(key: try await key(of: owner), owner: owner)
    }
}

/// For a request with a token: without a key the account has ended, so the answer is `unauthorized` and not `not_found`.
extension DataKeys {
    package func key(of member: Member) async throws(DiaryError) -> DataKey {
        do throws(DiaryError) { return try await key(of: member.owner) } catch {
            throw error.code == .notFound ? .unauthorized : error
        }
    }

    package func vault(of member: Member) async throws(DiaryError) -> Vault {
        Vault(key: try await key(of: member), owner: member.owner)
    }
}

/// Data keys, wrapped by the master key ring, in a separate database (decision D15).
package protocol KeyStore: Sendable {
    /// - Returns: nil when the key was destroyed with its account.
    func wrappedKey(of owner: Owner) async throws(DiaryError) -> WrappedKey?
    /// At sign-up; the key is made before the user row.
    func insert(_ key: WrappedKey, for owner: Owner) async throws(DiaryError)
    /// Does the work of `insert` and stores nothing (B8).
    func rehearse(_ key: WrappedKey, for owner: Owner) async throws(DiaryError)
    /// At a sign-up that found the address taken, and at erasure.
    func destroy(keyOf owner: Owner) async throws(DiaryError)
}
