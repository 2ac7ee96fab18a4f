import DiaryCrypto
package import FoundationEssentials
import WireFormats

package enum DateOrder: String, Sendable, CaseIterable { case newestFirst = "desc", oldestFirst = "asc" }

/// A listing of entries: days of the diary (`EntryFacts.day`), inclusive.
package struct DateQuery: Sendable {
    package var from: CalendarDay?
    package var to: CalendarDay?
    package var sort = EntrySort.recordedAt
    package var order: DateOrder
    /// Of the same sort.
    package var after: EntryPosition?
    package var limit: Int
    package var filter: EntryFilter = EntryFilter()

    package init(
        from: CalendarDay?, to: CalendarDay?, sort: EntrySort = .recordedAt, order: DateOrder, after: EntryPosition?, limit: Int,
        filter: EntryFilter = EntryFilter()
    ) {
        self.from = from
        self.to = to
        self.sort = sort
        self.order = order
        self.after = after
        self.limit = limit
        self.filter = filter
    }
}

/// The cursor of lists by time: microseconds since 1970 (the database's precision) and an id.
package struct DateCursor: Sendable, Equatable {
    package let position: DatePosition

    package var text: String {
        Base64URL.encode([2] + UInt64(bitPattern: position.recordedAt.cursorMicroseconds).bigEndianBytes + position.id.uuid.octets)
    }
}

extension DateCursor {
    package init?(parsing text: String) {
        guard text.utf8.count == 34, let bytes = Base64URL.decode(text), bytes.count == 25, bytes[0] == 2,
            let id = UUID(octets: bytes[9...])
        else { return nil }
        guard let time = Date(cursorMicroseconds: Int64(bitPattern: UInt64(bigEndianBytes: bytes[1..<9]))) else { return nil }
        self.init(position: DatePosition(recordedAt: time, id: EntryID(id)))
    }
}

extension Date {
    /// Microseconds from 1970 to 2001, where `Date` counts from.
    private static let cursorReference: Int64 = 978_307_200_000_000

    /// Since 1970.
    var cursorMicroseconds: Int64 {
        // Second and fraction are kept apart: their sum in a Double is a microsecond off for many times before 1930 and after 2040.
        let seconds = timeIntervalSinceReferenceDate
        let whole = seconds.rounded(.down)
        return Int64(whole) * 1_000_000 + Int64(((seconds - whole) * 1_000_000).rounded()) + Self.cursorReference
    }

    /// nil outside the years 1 … 9999, which a timestamp column can always hold.
    init?(cursorMicroseconds micros: Int64) {
        guard (-62_135_596_800_000_000...253_402_300_799_999_999).contains(micros) else { return nil }
        self.init(timeIntervalSinceReferenceDate: Double(micros - Self.cursorReference) / 1_000_000)
    }
}

/// A position between two entries ordered by time and id.
package struct DatePosition: Sendable, Equatable {
    package var recordedAt: Date
    package var id: EntryID

    package init(recordedAt: Date, id: EntryID) {
        self.recordedAt = recordedAt
        self.id = id
    }
}

/// Which entries a listing shows: those that fit every value given.
package struct EntryFilter: Sendable, Equatable {
    package var kind: EntryKind?
    package var status: EntryStatus?
    package var isFavorite: Bool?
    /// A profile that a speaker of the recording points to.
    package var speaker: SpeakerID?
    /// Tags and moods that an entry must have. They are sealed, so the store finds candidates by `hashes`.
    package var labels: Set<EntryLabel>
    /// Hashes of `labels`, with the member's own key.
    package internal(set) var hashes: [Int64] = []

    package init(
        kind: EntryKind? = nil, status: EntryStatus? = nil, isFavorite: Bool? = nil, speaker: SpeakerID? = nil, labels: Set<EntryLabel> = []
    ) {
        self.kind = kind
        self.status = status
        self.isFavorite = isFavorite
        self.speaker = speaker
        self.labels = labels
    }

    package var isEmpty: Bool { kind == nil && status == nil && isFavorite == nil && speaker == nil && labels.isEmpty }

    /// Whether a candidate has the labels. A damaged part has none that can be read.
    func confirms(_ entry: Entry) -> Bool { labels.isEmpty || labels.isSubset(of: entry.personal.labels) }
}
