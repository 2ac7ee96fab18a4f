package import DiaryCore
package import FoundationEssentials

/// What lies in the object store, for the sweeper.
package protocol ObjectInventory: Sendable {
    /// In one step for all of them, because most are not there.
    /// - Returns: for each key its plain size; nil when nothing whole is there.
    func sizes(of keys: [ObjectKey]) async throws(ObjectStoreError) -> [Result<Int64?, ObjectStoreError>]
    /// Objects that have lain at their key since before a time, page by page.
    /// - Returns: keys, and after which one to go on; a page may be empty and still have a next one.
    func keys(
        _ kind: ObjectKey.Kind, olderThan: Date, after: ObjectKey?
    ) async throws(ObjectStoreError) -> (keys: [ObjectKey], next: ObjectKey?)
}
