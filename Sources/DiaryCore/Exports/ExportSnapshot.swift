/// What is known of a snapshot before its entries are read.
package struct ExportSnapshot: Sendable, Equatable {
    /// The account's change number: every change up to it is in the snapshot, and none after it. An export of what changed since begins here.
    package var changesUpto: Int64
    /// Whether the entries that were deleted after the earlier snapshot are all known. Tombstones are removed by age (`sweep_tombstones`), so an
    /// earlier snapshot may be too old. True without an earlier one.
    package var knowsDeletions: Bool

    package init(changesUpto: Int64, knowsDeletions: Bool) {
        self.changesUpto = changesUpto
        self.knowsDeletions = knowsDeletions
    }
}
