/// Which entries a zip holds: those that match every criterion.
package struct ExportSelection: Sendable, Equatable {
    /// Days are those of the entries (`local_date`), both inclusive. Of one entry they are its day when the export was asked for.
    package var from: CalendarDay
    package var to: CalendarDay
    /// Tags that an entry must have, all of them, as they were written. Empty in an export that was not opened (`Export.opened(by:)`).
    package var tags: [String] = []
    /// nil: both.
    package var kind: EntryKind? = nil
    package var entry: EntryID? = nil
    /// Only entries whose change number is greater: what changed after the snapshot of an earlier export.
    package var changedAfter: Int64? = nil

    package var labels: Set<EntryLabel> { Self.labels(of: tags) }

    static func labels(of tags: [String]) -> Set<EntryLabel> { Set(tags.map { EntryLabel(.tag, $0) }) }
}
