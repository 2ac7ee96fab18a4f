package import DiaryCrypto
package import FoundationEssentials

/// Recordings that arrive in parts, by S3's rules for multipart uploads: parts come in any order and at once, one that comes again replaces the
/// one before until the parts are joined, and nothing is at the key before that.
package protocol UploadParts: Sendable {
    /// Bytes; the last part may be smaller.
    var smallestPart: Int64 { get }
    /// Begins an upload at a staging key. It may stay without parts: the caller stores its name only afterwards.
    /// - Returns: its name, at most 1,024 bytes.
    func begin(_ key: ObjectKey, contentType: String) async throws(ObjectStoreError) -> String
    /// Stores a part that this process holds, in place of an earlier one of its number. It is durable when this returns.
    func put(_ part: PartKey, _ bytes: [UInt8], sealedBy dataKey: DataKey) async throws(ObjectStoreError)
    /// Whole parts of the right length, in order of their numbers.
    /// - Throws: `missing` when the store knows no such upload; one without parts may count as such or not.
    func arrived(_ upload: PartUpload) async throws(ObjectStoreError) -> [ArrivedPart]
    /// Makes the object of its parts, durably, without reading them into memory. The parts stay until `discard`, or go.
    /// - Parameters:
    ///   - parts: all of them, as `arrived` returned them.
    ///   - dataKey: the user's key, for a store that seals its staging.
    /// - Throws: `alreadyExists` when the key or its final one is taken: an earlier call has joined them. `missing` when a part is gone.
    func join(_ upload: PartUpload, of parts: [ArrivedPart], sealedBy dataKey: DataKey) async throws(ObjectStoreError)
    /// Deletes an upload and its parts. Succeeds when there is none. A part that arrives meanwhile may stay, for the sweep.
    /// - Parameter id: nil for every upload of the key.
    func discard(_ key: ObjectKey, id: String?) async throws(ObjectStoreError)
    /// Uploads of all users that have had no new part since `olderThan`, for the sweep.
    /// - Parameters:
    ///   - after: `next` of the page before; nil for the first page.
    ///   - limit: uploads looked at per page, whether listed or not.
    func list(olderThan: Date, after: StoredPartUpload?, limit: Int) async throws(ObjectStoreError) -> StoredPartUploads
}

/// An upload in parts as the store lists it.
package struct StoredPartUpload: Sendable, Equatable {
    package var key: ObjectKey
    package var id: String
    /// When its last part arrived.
    package var storedAt: Date

    package init(key: ObjectKey, id: String, storedAt: Date) {
        self.key = key
        self.id = id
        self.storedAt = storedAt
    }
}

package struct StoredPartUploads: Sendable, Equatable {
    package var uploads: [StoredPartUpload]
    /// The next page begins after this upload; nil when the listing is complete. A page may be empty and still have a next one.
    package var next: StoredPartUpload?

    package init(uploads: [StoredPartUpload], next: StoredPartUpload?) {
        self.uploads = uploads
        self.next = next
    }
}
