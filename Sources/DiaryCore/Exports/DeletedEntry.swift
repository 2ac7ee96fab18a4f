package import FoundationEssentials

/// An entry that was deleted after the snapshot of an earlier export.
package struct DeletedEntry: Sendable, Equatable {
    package var id: EntryID
    package var deletedAt: Date
}
