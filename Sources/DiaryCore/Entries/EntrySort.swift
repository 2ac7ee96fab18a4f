import DiaryCrypto
package import FoundationEssentials
import WireFormats

/// What a listing is sorted by. Titles and texts are sealed, so nothing sorts by them.
package enum EntrySort: String, Sendable, CaseIterable {
    case recordedAt = "recorded_at"
    /// An entry without a duration counts as 0.
    case duration
    case updatedAt = "updated_at"
}

/// A position between two entries of a listing: the value that they are sorted by, and the id.
package struct EntryPosition: Sendable, Equatable {
    package enum Value: Sendable, Equatable {
        case recordedAt(Date), updatedAt(Date)
        /// Seconds.
        case duration(Double)
    }

    package var value: Value
    package var id: EntryID

    package init(_ value: Value, id: EntryID) {
        self.value = value
        self.id = id
    }

    /// Of an entry in a listing of this sort.
    package init(of facts: EntryFacts, in sort: EntrySort) {
        let value: Value =
            switch sort {
            case .recordedAt: .recordedAt(facts.recordedAt)
            case .duration: .duration(facts.durationSeconds ?? 0)
            case .updatedAt: .updatedAt(facts.updatedAt)
            }
        self.init(value, id: facts.id)
    }

    package var sort: EntrySort {
        switch value {
        case .recordedAt: .recordedAt
        case .duration: .duration
        case .updatedAt: .updatedAt
        }
    }

    /// The cursor: opaque to clients, 34 characters. Of a listing by date as `DateCursor` has it.
    package var text: String {
        let (mark, bits): (UInt8, UInt64) =
            switch value {
            case .recordedAt(let time): (2, UInt64(bitPattern: time.cursorMicroseconds))
            case .updatedAt(let time): (4, UInt64(bitPattern: time.cursorMicroseconds))
            case .duration(let seconds): (5, seconds.bitPattern)
            }
        return Base64URL.encode([mark] + bits.bigEndianBytes + id.uuid.octets)
    }

    package init?(parsing text: String) {
        guard text.utf8.count == 34, let bytes = Base64URL.decode(text), bytes.count == 25, let id = UUID(octets: bytes[9...]) else {
            return nil
        }
        let bits = UInt64(bigEndianBytes: bytes[1..<9])
        let value: Value
        switch bytes[0] {
        case 2, 4:
            guard let time = Date(cursorMicroseconds: Int64(bitPattern: bits)) else { return nil }
            value = bytes[0] == 2 ? .recordedAt(time) : .updatedAt(time)
        case 5:
            let seconds = Double(bitPattern: bits)
            guard seconds.isFinite else { return nil }
            value = .duration(seconds)
        default: return nil
        }
        self.init(value, id: EntryID(id))
    }
}
