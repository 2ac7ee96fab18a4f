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

    package init(
        from: CalendarDay, to: CalendarDay, tags: [String] = [], kind: EntryKind? = nil, entry: EntryID? = nil, changedAfter: Int64? = nil
    ) {
        self.from = from
        self.to = to
        self.tags = tags
        self.kind = kind
        self.entry = entry
        self.changedAfter = changedAfter
    }

    package var labels: Set<EntryLabel> { Self.labels(of: tags) }

    static func labels(of tags: [String]) -> Set<EntryLabel> { Set(tags.map { EntryLabel(.tag, $0) }) }
}
