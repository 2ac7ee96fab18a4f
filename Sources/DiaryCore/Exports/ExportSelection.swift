import DiaryCrypto
package import FoundationEssentials

/// Which entries a zip holds: those that match every criterion.
package struct ExportSelection: Sendable, Equatable {
    /// The most entries that can be chosen one by one.
    package static let mostEntries = 200

    /// Days are those of the entries (`local_date`), both inclusive. Of chosen entries they are the first and the last of theirs when the export
    /// was asked for.
    package var from: CalendarDay
    package var to: CalendarDay
    /// Tags that an entry must have, all of them, as they were written. Empty in an export that was not opened (`Export.opened(by:)`).
    package var tags: [String] = []
    /// nil: both.
    package var kind: EntryKind? = nil
    /// Those that were chosen one by one; empty: all that the rest selects.
    package var entries: [EntryID] = []
    /// Only entries whose change number is greater: what changed after the snapshot of an earlier export.
    package var changedAfter: Int64? = nil

    package init(
        from: CalendarDay, to: CalendarDay, tags: [String] = [], kind: EntryKind? = nil, entries: [EntryID] = [], changedAfter: Int64? = nil
    ) {
        self.from = from
        self.to = to
        self.tags = tags
        self.kind = kind
        self.entries = entries
        self.changedAfter = changedAfter
    }

    package var labels: Set<EntryLabel> { Self.labels(of: tags) }

    static func labels(of tags: [String]) -> Set<EntryLabel> { Set(tags.map { EntryLabel(.tag, $0) }) }
}

/// The entries that a request selects, before the store has found the entries and the earlier export that it names.
package struct RequestedSelection: Sendable, Equatable {
    package enum Range: Sendable, Equatable {
        /// Both inclusive.
        case days(CalendarDay, CalendarDay)
        /// Chosen one by one, each once.
        case entries([EntryID])
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
    package var entries: [EntryID] { if case .entries(let ids) = range { ids } else { [] } }
}

/// The tags of a selection as a row has them: sealed, and hashed with the account's key so that the store finds candidates (decision D21).
///
/// The list is sealed with the user's id as its row, so that a schedule's row can be copied into an export's.
package struct SealedTags: Sendable {
    package let sealed: [UInt8]
    /// Sorted; all must be among an entry's `label_hashes`.
    package let hashes: [Int64]
    /// The data key of both.
    package let keyID: UUID

    /// nil for no tags.
    package init?(_ tags: [String], _ vault: Vault) throws(DiaryError) {
        guard !tags.isEmpty else { return nil }
        sealed = try vault.seal(tags, as: .exportTags, row: vault.owner.user.uuid)
        hashes = vault.hashes(of: ExportSelection.labels(of: tags))
        keyID = vault.key.id
    }
}

extension Vault.Part {
    /// JSON; row = the user's id, so that a schedule's row can be copied into an export's.
    package static let exportTags = Vault.Part(name: "export_tags", table: "exports")
}

/// Why what a selection names cannot be selected.
package enum ExportSelectionFault: Error, Sendable, Equatable {
    /// Chosen entries are not there: their places among those that were chosen, from 0.
    case noEntries([Int])
    /// The earlier export is not there, or was built before snapshots were noted, or failed.
    case noSnapshot
    /// The earlier export is not built yet.
    case snapshotNotTaken
}

extension DiaryError {
    init(_ fault: ExportSelectionFault) {
        self =
            switch fault {
            case .noEntries(let places):
                DiaryError(.invalidFields, fields: places.map { .init("/entry_ids/\($0)", "is not an entry of this account") })
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
