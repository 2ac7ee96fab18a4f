package import DiaryCore
package import FoundationEssentials

/// The objects in the store, for the sweeper.
package protocol ObjectInventory: Sendable {
    /// One call for all of them, because most do not exist.
    /// - Returns: for each key its plain size; nil without a whole object.
    func sizes(of keys: [ObjectKey]) async throws(ObjectStoreError) -> [Result<Int64?, ObjectStoreError>]
    /// Objects stored before a time, page by page.
    /// - Returns: keys, and the key to continue after; a page may be empty and still have a next one.
    func keys(
        _ kind: ObjectKey.Kind, olderThan: Date, after: ObjectKey?
    ) async throws(ObjectStoreError) -> (keys: [ObjectKey], next: ObjectKey?)
}
