package import FoundationEssentials

/// An entry that was deleted after the snapshot of an earlier export.
package struct DeletedEntry: Sendable, Equatable {
    package var id: EntryID
    package var deletedAt: Date

    package init(id: EntryID, deletedAt: Date) {
        self.id = id
        self.deletedAt = deletedAt
    }
}
