package import FoundationEssentials

/// Entries of days before those of an export that came after the schedule's export before: written, or sent by their app, when that was made. They are
/// in no other.
package struct LateEntries: Sendable, Equatable {
    /// Their change numbers are greater: they were not in the snapshot.
    package var changedAfter: Int64
    /// They were created after this time; older ones were in the snapshot, and were changed since.
    package var createdAfter: Date

    package init(changedAfter: Int64, createdAfter: Date) {
        self.changedAfter = changedAfter
        self.createdAfter = createdAfter
    }
}
