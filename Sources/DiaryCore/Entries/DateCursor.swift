import DiaryCrypto
import FoundationEssentials
import WireFormats

/// The cursor of the listing by date: microseconds since 1970 (the database's precision) and an id.
package struct DateCursor: Sendable, Equatable {
    package let position: DatePosition

    package var text: String {
        // Second and fraction are kept apart: their sum in a Double is a microsecond off for many times before 1930 and after 2040.
        let seconds = position.recordedAt.timeIntervalSinceReferenceDate
        let whole = seconds.rounded(.down)
        let micros = Int64(whole) * 1_000_000 + Int64(((seconds - whole) * 1_000_000).rounded()) + Self.reference
        return Base64URL.encode([2] + UInt64(bitPattern: micros).bigEndianBytes + position.id.uuid.octets)
    }

    /// Microseconds from 1970 to 2001, where `Date` counts from.
    private static let reference: Int64 = 978_307_200_000_000
}

extension DateCursor {
    package init?(parsing text: String) {
        guard text.utf8.count == 34, let bytes = Base64URL.decode(text), bytes.count == 25, bytes[0] == 2,
            let id = UUID(octets: bytes[9...])
        else { return nil }
        let micros = Int64(bitPattern: UInt64(bigEndianBytes: bytes[1..<9]))
        // Year 1 … 9999, which a timestamp column can always hold.
        guard (-62_135_596_800_000_000...253_402_300_799_999_999).contains(micros) else { return nil }
        self.init(
            position: DatePosition(
                recordedAt: Date(timeIntervalSinceReferenceDate: Double(micros - Self.reference) / 1_000_000), id: EntryID(id)))
    }
}
