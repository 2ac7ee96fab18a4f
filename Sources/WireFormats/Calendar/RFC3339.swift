package import FoundationEssentials

/// RFC 3339 times, by arithmetic on the proleptic Gregorian calendar: no formatter, no locale, no zone files.
package enum RFC3339 {
    /// 0001-01-01T00:00:00Z to 9999-12-31T23:59:59Z in seconds since 1970.
    private static let range: ClosedRange<Int> = -62_135_596_800...253_402_300_799

    /// `2026-07-04T09:30:00.250Z`: UTC with milliseconds, cut so that no time shows as a later second, day or year; a time outside
    /// 0001 … 9999 becomes the nearest end.
    package static func text(_ date: Date) -> String {
        let (first, second, third) = characters(date)
        return String(
            decoding: [first, second, third].flatMap { word in (0..<8).map { UInt8(truncatingIfNeeded: word >> ($0 * 8)) } }, as: UTF8.self)
    }

    /// With the microseconds that the database keeps, where there are any: `2026-07-04T09:30:00.250Z`, `2026-07-04T09:30:00.250123Z`.
    package static func exactText(_ date: Date) -> String {
        let seconds = date.timeIntervalSince1970
        guard (-3_000_000_000..<8_500_000_000).contains(seconds) else { return text(date) }
        let rest = Int((seconds * 1_000_000).rounded()).flooredDivision(by: 1000).remainder
        guard rest != 0 else { return text(date) }
        return "\(text(date).dropLast())\(String(rest + 1000).dropFirst())Z"
    }

    /// The same as three times eight characters, the first in the lowest byte: `2026-07-`, `04T09:30`, `:00.250Z`. A page has 150 times;
    /// written byte by byte they took longer than its texts.
    static func characters(_ date: Date) -> (UInt64, UInt64, UInt64) {
        let seconds = date.timeIntervalSince1970
        let limited = seconds.isFinite ? min(max(seconds, -62_135_596_800), 253_402_300_799.999) : 0
        let total = milliseconds(limited)
        let (days, inDay) = total.flooredDivision(by: 86_400_000)
        let day = GregorianDay(daysSince1970: days)
        let rest = UInt64(truncatingIfNeeded: inDay)
        let minute = pair(UInt64(truncatingIfNeeded: day.day)) | character("T") << 16 | pair(rest / 3_600_000) << 24 | character(":") << 40
        let second = character(":") | pair(rest / 1000 % 60) << 8 | character(".") << 24
        let fraction = rest % 1000
        return (
            characters(year: day.year, month: day.month), minute | pair(rest / 60_000 % 60) << 48,
            second | (0x30 + fraction / 100) << 32 | pair(fraction % 100) << 40 | character("Z") << 56
        )
    }

    /// `2026-07-`. A year outside 0000 … 9999 becomes the nearest: a wall clock east of the last or west of the first UTC day can show one.
    package static func characters(year: Int, month: Int) -> UInt64 {
        let year = UInt64(min(max(year, 0), 9999))
        return pair(year / 100) | pair(year % 100) << 16 | character("-") << 32 | pair(UInt64(month.magnitude)) << 40 | character("-") << 56
    }

    /// Two digits of a number in 0 … 99, the first in the lowest byte.
    package static func pair(_ number: UInt64) -> UInt64 { (0x30 + number / 10 % 10) | (0x30 + number % 10) << 8 }

    private static func character(_ character: Unicode.Scalar) -> UInt64 { UInt64(character.value) }

    /// Whole microseconds first, which is what the database keeps: .100 may be stored as .0999999. Before 1875 and after 2239 a `Date`
    /// may be off by more than half a microsecond (ulp(2^33) = 1.9 µs); there it is the nearest millisecond.
    private static func milliseconds(_ seconds: Double) -> Int {
        guard (-3_000_000_000..<8_500_000_000).contains(seconds) else { return Int((seconds * 1000).rounded()) }
        return Int((seconds * 1_000_000).rounded()).flooredDivision(by: 1000).quotient
    }

    /// Date, `T`, time, a fraction of any length, of which nine digits count, `Z` or an offset. A leap second counts as the next second.
    package static func parse(_ text: String) -> Date? {
        let bytes = Array(text.utf8)
        guard bytes.count >= 20 else { return nil }
        var reader = DigitReader(bytes)
        guard let year = reader.number(4), reader.take("-"), let month = reader.number(2), reader.take("-"),
            let dayOfMonth = reader.number(2), reader.take("T") || reader.take("t"), let hour = reader.number(2), reader.take(":"),
            let minute = reader.number(2),
            reader.take(":"), let second = reader.number(2),
            year >= 1, let day = GregorianDay(year: year, month: month, day: dayOfMonth), hour <= 23, minute <= 59, second <= 60
        else { return nil }
        var nanoseconds = 0
        if reader.take(".") {
            guard let fraction = reader.fraction() else { return nil }
            nanoseconds = fraction
        }
        var offset = 0
        if !reader.take("Z"), !reader.take("z") {
            let east = reader.take("+")
            guard east || reader.take("-"), let hours = reader.number(2), reader.take(":"), let minutes = reader.number(2), hours <= 23,
                minutes <= 59
            else { return nil }
            offset = (hours * 60 + minutes) * (east ? 60 : -60)
        }
        guard reader.isAtEnd else { return nil }
        let seconds = day.daysSince1970 * 86_400 + hour * 3600 + minute * 60 + second - offset
        if second == 60, seconds.flooredDivision(by: 86_400).remainder != 0 { return nil }
        guard range.contains(seconds) else { return nil }
        return Date(timeIntervalSince1970: Double(seconds) + Double(nanoseconds) / 1_000_000_000)
    }
}
