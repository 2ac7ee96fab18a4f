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

/// A body in pieces; `nil` ends it. One reader: calls of `next` do not overlap.
package protocol ByteStream: AnyObject, Sendable {
    func next() async throws -> [UInt8]?
}

package struct ObjectFacts: Sendable, Equatable {
    /// Bytes before sealing.
    package var size: Int64

    package init(size: Int64) { self.size = size }
}

/// A page of a listing, in order of the keys.
package struct ObjectPage: Sendable, Equatable {
    package struct Object: Sendable, Equatable {
        package var key: ObjectKey
        /// When it came to this key.
        package var storedAt: Date

        package init(key: ObjectKey, storedAt: Date) {
            self.key = key
            self.storedAt = storedAt
        }
    }

    package var objects: [Object]
    /// The next page begins after this key; nil when the listing is complete. A page may be empty and still have a next one.
    package var next: ObjectKey?

    package init(objects: [Object], next: ObjectKey?) {
        self.objects = objects
        self.next = next
    }

    package var keys: [ObjectKey] { objects.map(\.key) }
}

package enum ObjectStoreError: Error, Sendable, Equatable {
    case missing
    /// An object is never overwritten.
    case alreadyExists
    /// Fewer or more bytes came than were announced.
    case lengthMismatch
    /// The body's SHA-256 is not the announced one.
    case checksumMismatch
    /// Truncated, reordered or sealed with another key.
    case damaged
    /// Disk full, read-only or failing; `full` maps to 507, the rest to 503.
    case unavailable(full: Bool)
}

extension DiaryError {
    /// Maps the failure of a put or of a question about an upload.
    package init(storing error: ObjectStoreError) {
        switch error {
        case .alreadyExists: self.init(.uploadExists)
        case .lengthMismatch: self.init(.malformedRequest, detail: "The body is not as long as announced.")
        case .checksumMismatch: self.init(.uploadRefused, detail: "The body's SHA-256 is not the announced one.")
        case .unavailable(full: true): self.init(.storageFull, retryAfter: 60, cause: "object store is full")
        // Missing: the file was removed while it was written. Nothing was stored, and the upload URL stays valid.
        case .unavailable(full: false), .missing: self = .unavailable(cause: "object store")
        case .damaged: self.init(.internalError, cause: "object damaged")
        }
    }
}

extension DiaryError {
    /// Maps the failure of a read.
    package init(reading error: ObjectStoreError) {
        switch error {
        case .missing: self = .notFound
        case .damaged: self.init(.internalError, cause: "object damaged")
        default: self = .unavailable(cause: "object store")
        }
    }
}
