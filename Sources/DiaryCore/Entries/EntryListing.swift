package import FoundationEssentials

/// A position in the feed.
package enum FeedStart: Sendable, Equatable {
    case beginning
    /// - Parameter purgedThrough: up to which change tombstones had been purged when this reading of the feed began.
    case after(changeNumber: Int64, purgedThrough: Int64 = 0)
    case changedSince(Date)
}

/// A page of at most `limit` entries and about 2 MiB of sealed text, whichever is less: a few long diaries must not fill the memory.
package struct EntryPage: Sendable, RandomAccessCollection {
    package var entries: [StoredEntry]
    /// There are more after these.
    package var more: Bool

    package init(_ entries: [StoredEntry], more: Bool) {
        self.entries = entries
        self.more = more
    }

    package var startIndex: Int { entries.startIndex }
    package var endIndex: Int { entries.endIndex }
    package subscript(position: Int) -> StoredEntry { entries[position] }
}

package enum FeedOutcome: Sendable {
    /// In order of change number. `latest` is the member's counter when the page was read; `purgedThrough` is the change up to which
    /// tombstones have been purged.
    case page(EntryPage, latest: Int64, purgedThrough: Int64)
    /// The position is older than the oldest tombstone, or newer than the counter of a restored database (410).
    case expired
}

package enum DateOrder: String, Sendable { case newestFirst = "desc", oldestFirst = "asc" }

/// A position between two entries ordered by time and id.
package struct DatePosition: Sendable, Equatable {
    package var recordedAt: Date
    package var id: EntryID

    package init(recordedAt: Date, id: EntryID) {
        self.recordedAt = recordedAt
        self.id = id
    }
}

/// A listing by date: days of the recordings' own wall clocks, inclusive.
package struct DateQuery: Sendable {
    package var from: CalendarDay?
    package var to: CalendarDay?
    package var order: DateOrder
    package var after: DatePosition?
    package var limit: Int

    package init(from: CalendarDay?, to: CalendarDay?, order: DateOrder, after: DatePosition?, limit: Int) {
        self.from = from
        self.to = to
        self.order = order
        self.after = after
        self.limit = limit
    }
}
