package import DiaryCrypto
package import FoundationEssentials

package struct ObjectFacts: Sendable, Equatable {
    /// Bytes before sealing.
    package var size: Int64
    /// The data key that seals it.
    package var keyID: UUID

    package init(size: Int64, keyID: UUID) {
        self.size = size
        self.keyID = keyID
    }
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

/// Objects at rest: sealed on the way in, opened on the way out, never whole in memory.
package protocol ObjectStore: Sendable {
    /// Seals while receiving: temp file, fsync, rename without overwriting, directory fsync.
    /// - Parameter sha256: when given, the plaintext's expected digest; a mismatch leaves nothing behind.
    /// - Returns: the plaintext's SHA-256.
    func put(
        _ key: ObjectKey, from body: any ByteStream, length: Int64, sha256: [UInt8]?, sealedBy dataKey: DataKey
    ) async throws -> [UInt8]
    /// Seals a finished local file (an export zip held by an open descriptor).
    func put(_ key: ObjectKey, descriptor: Int32, length: Int64, sealedBy dataKey: DataKey) async throws(ObjectStoreError)
    func facts(_ key: ObjectKey) async throws(ObjectStoreError) -> ObjectFacts
    /// The object is there for good when this returns: whoever put it may not have lived to bring its name to disk. Throws `missing`.
    func persist(_ key: ObjectKey) async throws(ObjectStoreError)
    /// Opens `range` of the plaintext; pieces of at most 64 KiB.
    func read(_ key: ObjectKey, range: Range<Int64>, openedBy dataKey: DataKey) async throws(ObjectStoreError) -> any ByteStream
    /// Staging to final, atomically; succeeds when it already happened.
    func promote(_ key: ObjectKey, to final: ObjectKey) async throws(ObjectStoreError)
    /// Deleting what is not there succeeds.
    func delete(_ key: ObjectKey) async throws(ObjectStoreError)
}
