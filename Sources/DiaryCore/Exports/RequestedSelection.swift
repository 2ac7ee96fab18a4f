/// The entries that a request selects, before the store has found the entry and the earlier export that it names.
package struct RequestedSelection: Sendable, Equatable {
    package enum Range: Sendable, Equatable {
        /// Both inclusive.
        case days(CalendarDay, CalendarDay)
        case entry(EntryID)
    }

    package var range: Range
    package var tags: [String]
    /// nil: both.
    package var kind: EntryKind?
    /// Only what changed after the snapshot of this export.
    package var since: ExportID?

    package init(_ range: Range, tags: [String] = [], kind: EntryKind? = nil, since: ExportID? = nil) {
        self.range = range
        self.tags = tags
        self.kind = kind
        self.since = since
    }

    package var from: CalendarDay? { if case .days(let from, _) = range { from } else { nil } }
    package var to: CalendarDay? { if case .days(_, let to) = range { to } else { nil } }
    package var entry: EntryID? { if case .entry(let id) = range { id } else { nil } }
}
