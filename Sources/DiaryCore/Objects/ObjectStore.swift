package import DiaryCrypto
package import FoundationEssentials

/// Recordings and export archives at rest: sealed when they are stored, opened when they are read, never whole in memory (decision D15).
package protocol ObjectStore: Sendable {
    /// Seals the body while it arrives. The object is visible and durable when this returns. A failed put leaves nothing, except when
    /// making it durable, or the check after it, fails.
    /// - Parameter sha256: the expected digest of the plaintext, when known.
    /// - Returns: the plaintext's SHA-256.
    /// - Throws: `alreadyExists`, also for a staging key whose object has been promoted; `lengthMismatch`, `checksumMismatch`, what the
    ///   body throws.
    func put(
        _ key: ObjectKey, from body: any ByteStream, length: Int64, sha256: [UInt8]?, sealedBy dataKey: DataKey
    ) async throws -> [UInt8]
    /// The same for what the service made itself: no digest is computed.
    func putUnhashed(_ key: ObjectKey, from body: any ByteStream, length: Int64, sealedBy dataKey: DataKey) async throws
    /// What the store holds at a key, whichever server received it: the proof of an upload (decision D10).
    /// - Throws: `missing`; `damaged` for bytes that are not a whole sealed object.
    func facts(_ key: ObjectKey) async throws(ObjectStoreError) -> ObjectFacts
    /// The same for many keys in one step, because most of the sweeper's are missing.
    /// - Returns: a result for each key, in order; nil when nothing whole is there.
    func facts(of keys: [ObjectKey]) async throws(ObjectStoreError) -> [Result<ObjectFacts?, ObjectStoreError>]
    /// Makes sure that a visible object survives a crash: the process that put it may have died before it did.
    /// - Throws: `missing`.
    func confirmDurable(_ key: ObjectKey) async throws(ObjectStoreError)
    /// Opens `range` of the plaintext, cut to the object's end; pieces of at most 256 KiB.
    func read(_ key: ObjectKey, range: Range<Int64>, openedBy dataKey: DataKey) async throws(ObjectStoreError) -> any ByteStream
    /// Moves an object from staging to its final key, where no upload URL reaches it (decision D10). Succeeds when it has already happened.
    /// - Parameters:
    ///   - dataKey: the user's key. A store whose staging is plain seals with it while it copies.
    ///   - sha256: of the bytes that were verified. Where clients can still write to staging, others are not promoted.
    /// - Throws: `missing`; `alreadyExists` when another object is at `final`; `damaged` when `final` is another object's key;
    ///   `checksumMismatch`.
    func promote(_ key: ObjectKey, to final: ObjectKey, sealedBy dataKey: DataKey, sha256: [UInt8]?) async throws(ObjectStoreError)
    /// Succeeds when the object is missing.
    func delete(_ key: ObjectKey) async throws(ObjectStoreError)
    /// Deletes several in one request where the store has one for that. What is missing counts as deleted.
    /// - Returns: those that could not be deleted.
    /// - Throws: `unavailable` when the store does not answer; any of them may be deleted then.
    func delete(_ keys: [ObjectKey]) async throws(ObjectStoreError) -> [ObjectKey]
    /// Objects that have been at their key since before `olderThan`; a promotion starts that time anew.
    /// - Parameters:
    ///   - after: `next` of the page before; nil for the first page.
    ///   - limit: objects looked at per page, whether listed or not, so that a page's work is bounded.
    func list(_ kind: ObjectKey.Kind, olderThan: Date, after: ObjectKey?, limit: Int) async throws(ObjectStoreError) -> ObjectPage
    /// How many objects a user has, of all kinds.
    func count(of owner: Owner) async throws(ObjectStoreError) -> Int
    /// Deletes up to `most` objects of a user, staging first: a promotion under way then either fails or has made its final object, which
    /// is deleted after. A put under way may still end later, so refuse new ones first and call this again.
    /// - Returns: how many were deleted; 0 when none were left.
    func removeAll(of owner: Owner, most: Int) async throws(ObjectStoreError) -> Int
}
