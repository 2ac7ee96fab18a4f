/// Why what a selection names cannot be selected.
package enum ExportSelectionFault: Error, Sendable, Equatable {
    /// The entry is not there.
    case noEntry
    /// The earlier export is not there, or was built before snapshots were noted, or failed.
    case noSnapshot
    /// The earlier export is not built yet.
    case snapshotNotTaken
}

extension DiaryError {
    init(_ fault: ExportSelectionFault) {
        self =
            switch fault {
            case .noEntry: .invalid("/entry_id", "is not an entry of this account")
            case .noSnapshot: .invalid("/since_export", "is not an export of this account that was built, or it has no snapshot")
            case .snapshotNotTaken: DiaryError(.exportNotReady, detail: "The export of since_export is not built yet.", retryAfter: 2)
            }
    }
}

extension RequestedSelection {
    func check() throws(DiaryError) {
        if case .days(let from, let to) = range, from > to { throw .invalid("/to", "must not be before from") }
    }
}
