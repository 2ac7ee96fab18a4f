package import FoundationEssentials

/// Entries that belong to days of earlier exports of a schedule, but came after the last of those exports was made: they were created, their
/// recording or its words came, or they were moved there. The schedule's next export includes them, because no other does.
package struct LateEntries: Sendable, Equatable {
    /// Their change numbers are greater: they were not in the snapshot.
    package var changedAfter: Int64
    /// They came after this time; older ones were in the snapshot, and were changed since.
    package var createdAfter: Date
}
