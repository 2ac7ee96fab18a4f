package import DiaryCore
package import FoundationEssentials

/// An object as the sweeper sees it.
package struct StoredObject: Sendable, Equatable {
    package let key: ObjectKey
    /// When it came to this key: a promotion counts.
    package let storedAt: Date
}

/// A page of objects, in order of their keys.
package struct ObjectListing: Sendable, Equatable {
    package var objects: [StoredObject]
    /// Go on after this key; nil when the listing is complete. A page may be empty and still have a next one.
    package var next: ObjectKey?
}

extension DiskObjectStore {
    /// Objects that have lain at their key since before `olderThan`, for collecting orphans.
    /// - Parameters:
    ///   - after: `next` of the page before.
    ///   - limit: files looked at per page, whether listed or not, so that a page's work is bounded.
    package func objects(
        _ kind: ObjectKey.Kind, olderThan: Date, after: ObjectKey? = nil, limit: Int = 1000
    ) async throws(ObjectStoreError) -> ObjectListing {
        try await pool.run { () throws(ObjectStoreError) in
            try tree.objects(kind, olderThan: olderThan, after: after, limit: max(1, limit))
        }
    }
}
