package import FoundationEssentials

/// A position between two entries ordered by time and id.
package struct DatePosition: Sendable, Equatable {
    package var recordedAt: Date
    package var id: EntryID

    package init(recordedAt: Date, id: EntryID) {
        self.recordedAt = recordedAt
        self.id = id
    }
}
