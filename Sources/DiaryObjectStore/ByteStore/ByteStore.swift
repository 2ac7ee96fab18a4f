package import DiaryCore
package import FoundationEssentials

/// Objects as bytes, by S3's rules: an object is visible as a whole or not at all, and never changes afterwards.
///
/// Sealing is separate (`SealedObjectStore`). Every implementation passes `ByteStoreConformanceTests`.
package protocol ByteStore: Sendable {
    /// Stores an object. It is visible and durable when this returns. A put that fails or is cancelled leaves nothing, except when making
    /// it durable fails.
    /// - Parameter length: bytes that the source gives in all.
    /// - Throws: `alreadyExists` when the key is taken, before the source is read if it is taken already; of puts at once exactly one
    ///   succeeds. `lengthMismatch` when the source gives more or fewer bytes. What the source throws.
    func put(_ key: ObjectKey, length: Int64, from source: any ByteSource) async throws
    /// - Parameter range: cut to the object's end.
    /// - Throws: `missing`.
    func get(_ key: ObjectKey, range: Range<Int64>) async throws(ObjectStoreError) -> any ByteReader
    /// Looks for many keys in one step.
    /// - Parameter leading: how many of each object's first bytes are read as well.
    /// - Returns: a result for each key, in order; nil when the object is missing. A store that does not answer for several is not asked for the rest.
    func head(_ keys: [ObjectKey], leading: Int) async throws(ObjectStoreError) -> [Result<ByteObject?, ObjectStoreError>]
    /// Makes a visible object durable when the process that put it died between the two steps.
    /// - Throws: `missing`.
    func confirmDurable(_ key: ObjectKey) async throws(ObjectStoreError)
    /// Objects in order of their keys that were stored before `olderThan`.
    /// - Parameters:
    ///   - after: `next` of the page before; nil for the first page.
    ///   - limit: objects looked at, listed or not; at least 1.
    func list(
        _ prefix: ObjectPrefix, after: ObjectKey?, olderThan: Date, limit: Int
    ) async throws(ObjectStoreError) -> ByteListing
    /// Succeeds when the object is missing.
    func delete(_ key: ObjectKey) async throws(ObjectStoreError)
    /// Deletes several, in as few requests as the store needs.
    /// - Returns: those that could not be deleted, in order.
    /// - Throws: `unavailable` when the store does not answer; any of them may be deleted then.
    func delete(_ keys: [ObjectKey]) async throws(ObjectStoreError) -> [ObjectKey]
    /// Deletes up to `most` objects of a kind and user.
    /// - Returns: how many were deleted.
    func deleteAll(_ kind: ObjectKey.Kind, of owner: Owner, most: Int) async throws(ObjectStoreError) -> Int
    /// Moves an object, durably. Interrupted, it may leave the object at both keys; calling it again completes it, and calling it after
    /// completion succeeds. The object's `storedAt` is renewed.
    /// - Throws: `missing` when neither key has an object; `alreadyExists` when another object is at `target`.
    func move(_ source: ObjectKey, to target: ObjectKey) async throws(ObjectStoreError)
}

extension ByteStore {
    /// Nil when the object is missing.
    func head(_ key: ObjectKey, leading: Int = 0) async throws(ObjectStoreError) -> ByteObject? {
        guard let found = try await head([key], leading: leading).first else { return nil }
        return try found.get()
    }
}
