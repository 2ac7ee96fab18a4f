package import DiaryCore

/// All objects of one person, for erasure. A put that is running meanwhile may still land: refuse new ones first, and look again.
extension DiskObjectStore {
    package func count(of owner: Owner) async throws(ObjectStoreError) -> Int {
        var count = 0
        for kind in Self.kinds {
            count += try await pool.run { () throws(ObjectStoreError) in
                try tree.names(kind, tenant: owner.tenant, user: owner.user).count
            }
        }
        return count
    }

    /// Removes up to `most`, staging first: a promotion has then either made its final object already, which is found there, or fails.
    package func remove(of owner: Owner, most: Int) async throws(ObjectStoreError) -> Int {
        var removed = 0
        for kind in Self.kinds where removed < most {
            let rest = most - removed
            removed += try await pool.run { () throws(ObjectStoreError) in
                try tree.remove(kind, tenant: owner.tenant, user: owner.user, most: rest)
            }
        }
        return removed
    }

    private static let kinds: [ObjectKey.Kind] = [.staging, .audio, .export]
}
