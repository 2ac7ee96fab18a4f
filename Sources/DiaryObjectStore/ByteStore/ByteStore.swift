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

/// A stored object, without its bytes.
package struct ByteObject: Sendable, Equatable {
    package var key: ObjectKey
    package var size: Int64
    /// When it came to this key: a move counts.
    package var storedAt: Date
    /// Its first bytes, as many as were requested.
    package var leading: [UInt8] = []
}

/// A page of objects, in order of their keys.
package struct ByteListing: Sendable, Equatable {
    package var objects: [ByteObject]
    /// The next page begins after this key; nil when the listing is complete. A page may be empty and still have a next one.
    package var next: ObjectKey?
}

/// The beginning of keys: all objects of a kind, or those of one user.
package struct ObjectPrefix: Sendable, Hashable {
    package let kind: ObjectKey.Kind
    package let owner: Owner?

    package init(_ kind: ObjectKey.Kind, of owner: Owner? = nil) {
        self.kind = kind
        self.owner = owner
    }

    package func contains(_ key: ObjectKey) -> Bool {
        key.kind == kind && (owner.map { key.tenant == $0.tenant && key.user == $0.user } ?? true)
    }
}

/// Reads a range of one object from its beginning. One reader: calls of `next` do not overlap.
package protocol ByteReader: AnyObject, Sendable {
    /// Bytes of the whole object, whatever the range.
    var objectSize: Int64 { get }
    /// The next `count` bytes, fewer only at the range's end, turned into the caller's bytes on the thread that read them (decision 0027), or at
    /// once where a few have been read before.
    /// - Returns: nil after the range's end and after `close`.
    func next(
        _ count: Int, through transform: @escaping @Sendable ([UInt8]) throws(ObjectStoreError) -> [UInt8]
    ) async throws(ObjectStoreError) -> [UInt8]?
    /// Releases what the reader holds; so do its last byte and its deinitialisation.
    func close()
}

/// The bytes for a store, in pieces; `nil` ends it. The store reads a piece when it has stored the one before.
package protocol ByteSource: AnyObject, Sendable {
    func next() async throws -> DeferredBytes?
}

/// Bytes that are made when they are needed. A store calls this once for each piece, in order, on the thread that stores the bytes: hashing
/// and sealing then cost no change of thread of their own (decision 0027).
package struct DeferredBytes: Sendable {
    let make: @Sendable () throws(ObjectStoreError) -> [UInt8]

    package func callAsFunction() throws(ObjectStoreError) -> [UInt8] { try make() }
}
