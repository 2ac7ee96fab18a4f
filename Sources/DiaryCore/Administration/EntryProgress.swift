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
}
