package import FoundationEssentials

/// What the sweeper reads of an upload: ids and times.
package struct AwaitingUpload: Sendable {
    package var owner: Owner
    package var entry: EntryID
    package var object: UUID
    package var size: Int64
    package var createdAt: Date
    package var expiresAt: Date

    package init(owner: Owner, entry: EntryID, object: UUID, size: Int64, createdAt: Date, expiresAt: Date) {
        self.owner = owner
        self.entry = entry
        self.object = object
        self.size = size
        self.createdAt = createdAt
        self.expiresAt = expiresAt
    }
}

/// An entry that waits for parts, or has expired within the last day, and its upload.
package struct AwaitingParts: Sendable {
    package var upload: AwaitingUpload
    package var parts: PartUpload

    package init(upload: AwaitingUpload, parts: PartUpload) {
        self.upload = upload
        self.parts = parts
    }
}

/// Where a page of uploads ended.
package typealias UploadPlace = (at: Date, entry: EntryID)
