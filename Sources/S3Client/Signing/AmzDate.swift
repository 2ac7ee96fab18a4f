package import FoundationEssentials
import WireFormats

/// A second in UTC in SigV4's basic form, `20150830T123600Z`; its first eight characters are the credential scope's day.
package struct AmzDate: Sendable, Hashable, CustomStringConvertible {
    /// Seconds since 1970, within the years 1970 … 9999.
    package let seconds: Int64

    /// 9999-12-31T23:59:59Z.
    private static let last: Int64 = 253_402_300_799

    /// Cuts fractions of a second; times outside 1970 … 9999 become the nearest end.
    package init(_ date: Date) {
        let exact = date.timeIntervalSince1970
        seconds = exact > 0 ? (exact < Double(Self.last) ? Int64(exact) : Self.last) : 0
    }

    /// Parses exactly what `description` prints; a date that does not exist is nil.
    package init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard bytes.count == 16, bytes[8] == UInt8(ascii: "T"), bytes[15] == UInt8(ascii: "Z") else { return nil }
        func number(_ range: Range<Int>) -> Int64? {
            var value: Int64 = 0
            for byte in bytes[range] {
                guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
                value = value * 10 + Int64(byte - UInt8(ascii: "0"))
            }
            return value
        }
        guard let year = number(0..<4), let month = number(4..<6), let day = number(6..<8), let hour = number(9..<11),
            let minute = number(11..<13), let second = number(13..<15),
            year >= 1970, hour < 24, minute < 60, second < 60
        else { return nil }
        guard let date = GregorianDay(year: Int(year), month: Int(month), day: Int(day)) else { return nil }
        seconds = Int64(date.daysSince1970) * 86400 + hour * 3600 + minute * 60 + second
    }

    package var date: Date { Date(timeIntervalSince1970: Double(seconds)) }

    /// `20150830`.
    package var day: String { String(description.prefix(8)) }

    package var description: String {
        let date = GregorianDay(daysSince1970: Int(seconds / 86400))
        let time = Int(seconds % 86400)
        return String(unsafeUninitializedCapacity: 16) { text in
            var count = 0
            func put(_ character: UInt8) {
                text[count] = character
                count += 1
            }
            func put(pair value: Int) {
                put(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: value / 10))
                put(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: value % 10))
            }
            for pair in [date.year / 100, date.year % 100, date.month, date.day] { put(pair: pair) }
            put(UInt8(ascii: "T"))
            for pair in [time / 3600, time / 60 % 60, time % 60] { put(pair: pair) }
            put(UInt8(ascii: "Z"))
            return count
        }
    }
}
