package import FoundationEssentials

/// How far the work on an entry is, without anything that its owner wrote or said.
package struct EntryProgress: Sendable, Equatable {
    package var owner: Owner
    /// The app's.
    package var slug: String
    package var kind: EntryKind
    package var status: EntryStatus
    package var stage: String?
    package var attempt: Int
    package var code: String?
    package var nextAttemptAt: Date?
    package var createdAt: Date
    package var uploadedAt: Date?
    package var deletedAt: Date?

    package init(
        owner: Owner, slug: String, kind: EntryKind, status: EntryStatus, stage: String?, attempt: Int, code: String?, nextAttemptAt: Date?,
        createdAt: Date, uploadedAt: Date?, deletedAt: Date?
    ) {
        self.owner = owner
        self.slug = slug
        self.kind = kind
        self.status = status
        self.stage = stage
        self.attempt = attempt
        self.code = code
        self.nextAttemptAt = nextAttemptAt
        self.createdAt = createdAt
        self.uploadedAt = uploadedAt
        self.deletedAt = deletedAt
    }
}
