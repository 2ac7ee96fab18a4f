package import FoundationEssentials

/// What the sweeper reads: ids and times.
package struct AwaitingUpload: Sendable {
    package var owner: Owner
    package var entry: EntryID
    package var object: UUID
    package var size: Int64
    package var createdAt: Date
    package var expiresAt: Date
}
