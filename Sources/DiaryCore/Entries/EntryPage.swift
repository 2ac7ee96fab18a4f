package import FoundationEssentials
import WireFormats

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

/// How much of an entry a list shows. `summary` has an excerpt in place of the long texts.
package enum EntryView: String, Sendable, CaseIterable { case full, summary }

/// What the listing returns of one day of the diary.
package struct DayCount: Sendable, Equatable {
    package var day: CalendarDay
    package var entries: Int64
    package var recordings: Int64
    package var durationSeconds: Double

    package init(day: CalendarDay, entries: Int64, recordings: Int64, durationSeconds: Double) {
        self.day = day
        self.entries = entries
        self.recordings = recordings
        self.durationSeconds = durationSeconds
    }
}

/// A position in the feed.
package enum FeedStart: Sendable, Equatable {
    case beginning
    /// - Parameters:
    ///   - purgedThrough: the change up to which tombstones had been purged when this reading of the feed began.
    ///   - epoch: of the database that gave the position.
    case after(changeNumber: Int64, purgedThrough: Int64 = 0, epoch: Int64 = 0)
    case changedSince(Date)
}

package enum FeedOutcome: Sendable {
    /// In order of change number. `latest` is the member's counter when the page was read; `purgedThrough` is the change up to which
    /// tombstones have been purged; `epoch` is the database's.
    /// Speaker profiles likewise, one more than `limit` where there are more.
    case page(EntryPage, profiles: [StoredSpeakerProfile] = [], latest: Int64, purgedThrough: Int64, epoch: Int64 = 0)
    /// The position is older than the oldest tombstone, or was given by a database that this one does not continue (410).
    case expired
}

/// The cursor of the feed: opaque to clients, 34 characters.
package struct SyncCursor: Sendable, Equatable {
    package let changeNumber: Int64
    /// Up to which change tombstones had been purged when this reading of the feed began. Tombstones purged before are not missing in it.
    package let purgedThrough: Int64
    /// The epoch of the database that gave the cursor. A restored database begins another one, in which this cursor has expired for ever.
    package let epoch: Int64

    package var text: String {
        Base64URL.encode([3] + [changeNumber, purgedThrough, epoch].flatMap { UInt64(bitPattern: $0).bigEndianBytes })
    }
}

extension SyncCursor {
    package init?(parsing text: String) {
        guard text.utf8.count == 34, let bytes = Base64URL.decode(text), bytes.count == 25, bytes[0] == 3,
            let change = Int64(exactly: UInt64(bigEndianBytes: bytes[1..<9])),
            let purged = Int64(exactly: UInt64(bigEndianBytes: bytes[9..<17])),
            let epoch = Int64(exactly: UInt64(bigEndianBytes: bytes[17...]))
        else { return nil }
        self.init(changeNumber: change, purgedThrough: purged, epoch: epoch)
    }
}
