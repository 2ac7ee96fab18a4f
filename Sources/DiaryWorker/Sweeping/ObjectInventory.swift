package import DiaryCore
package import FoundationEssentials

/// What lies in the object store, for the sweeper: objects that have lain at their key since before a time, page by page.
package protocol ObjectInventory: Sendable {
    /// - Returns: keys, and after which one to go on; a page may be empty and still have a next one.
    func keys(
        _ kind: ObjectKey.Kind, olderThan: Date, after: ObjectKey?
    ) async throws(ObjectStoreError) -> (keys: [ObjectKey], next: ObjectKey?)
}
