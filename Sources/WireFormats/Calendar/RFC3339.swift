package import FoundationEssentials

/// Times on the wire, by arithmetic on the proleptic Gregorian calendar (RFC 3339; no formatter, no locale, no zone files).
package enum RFC3339 {
    /// `2026-07-04T09:30:00.250Z`: UTC with milliseconds, cut so that no time shows as a later second, day or year; outside 0001 … 9999 the nearest end.
    package static func text(_ date: Date) -> String {
        let (first, second, third) = characters(date)
        return String(
            decoding: [first, second, third].flatMap { word in (0..<8).map { UInt8(truncatingIfNeeded: word >> ($0 * 8)) } }, as: UTF8.self)
    }

    /// The same as three times eight characters, the first in the lowest byte: `2026-07-`, `04T09:30`, `:00.250Z`. A page has 150 times, and byte by byte
    /// they took longer than its texts.
    static func characters(_ date: Date) -> (UInt64, UInt64, UInt64) {
        let seconds = date.timeIntervalSince1970
        let limited = seconds.isFinite ? min(max(seconds, -62_135_596_800), 253_402_300_799.999) : 0
        let total = milliseconds(limited)
        let (days, rest) = (floorDivide(total, 86_400_000), UInt64(truncatingIfNeeded: floorRemainder(total, 86_400_000)))
        let (year, month, day) = civil(days)
        let minute = pair(UInt64(truncatingIfNeeded: day)) | character("T") << 16 | pair(rest / 3_600_000) << 24 | character(":") << 40
        let second = character(":") | pair(rest / 1000 % 60) << 8 | character(".") << 24
        let fraction = rest % 1000
        return (
            characters(year: Int(year), month: Int(month)), minute | pair(rest / 60_000 % 60) << 48,
            second | (0x30 + fraction / 100) << 32 | pair(fraction % 100) << 40 | character("Z") << 56
        )
    }

    /// `2026-07-`; a year outside 0000 … 9999, which a wall clock east of the last or west of the first day shows, is the nearest.
    static func characters(year: Int, month: Int) -> UInt64 {
        let year = UInt64(min(max(year, 0), 9999))
        return pair(year / 100) | pair(year % 100) << 16 | character("-") << 32 | pair(UInt64(month.magnitude)) << 40 | character("-") << 56
    }

    /// Two digits; the callers' numbers lie in 0 … 99.
    static func pair(_ number: UInt64) -> UInt64 { (0x30 + number / 10 % 10) | (0x30 + number % 10) << 8 }

    private static func character(_ character: Unicode.Scalar) -> UInt64 { UInt64(character.value) }

    /// Whole microseconds first, which is what the database keeps: .100 may be stored as .0999999. Before 1875 and after 2239 a `Date`
    /// may be off by more than half a microsecond (ulp(2^33) = 1.9 µs); there it is the nearest millisecond.
    private static func milliseconds(_ seconds: Double) -> Int64 {
        guard (-3_000_000_000..<8_500_000_000).contains(seconds) else { return Int64((seconds * 1000).rounded()) }
        return floorDivide(Int64((seconds * 1_000_000).rounded()), 1000)
    }

    /// Date, `T`, time, at most nine digits of fraction, `Z` or an offset. A leap second counts as the next second.
    package static func parse(_ text: some StringProtocol) -> Date? {
        let bytes = Array(text.utf8)
        guard bytes.count >= 20, bytes.count <= 35 else { return nil }
        var reader = Reader(bytes: bytes[...])
        guard let year = reader.number(4), reader.take("-"), let month = reader.number(2), reader.take("-"), let day = reader.number(2),
            reader.take("T") || reader.take("t"), let hour = reader.number(2), reader.take(":"), let minute = reader.number(2),
            reader.take(":"),
            let second = reader.number(2), year >= 1, (1...12).contains(month), day >= 1, day <= length(month, year), hour <= 23,
            minute <= 59,
            second <= 60
        else { return nil }
        var nanoseconds: Int64 = 0
        if reader.take(".") {
            guard let fraction = reader.fraction() else { return nil }
            nanoseconds = fraction
        }
        var offset: Int64 = 0
        if !reader.take("Z"), !reader.take("z") {
            let east = reader.take("+")
            guard east || reader.take("-"), let hours = reader.number(2), reader.take(":"), let minutes = reader.number(2), hours <= 23,
                minutes <= 59
            else { return nil }
            offset = (hours * 60 + minutes) * (east ? 60 : -60)
        }
        guard reader.bytes.isEmpty else { return nil }
        let seconds = days(year, month, day) * 86_400 + hour * 3600 + minute * 60 + second - offset
        if second == 60, floorRemainder(seconds, 86_400) != 0 { return nil }
        guard (-62_135_596_800...253_402_300_799).contains(seconds) else { return nil }
        return Date(timeIntervalSince1970: Double(seconds) + Double(nanoseconds) / 1_000_000_000)
    }

    /// Days since 1970-01-01 (after Howard Hinnant's `days_from_civil`).
    static func days(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
        let y = month <= 2 ? year - 1 : year
        let era = floorDivide(y, 400)
        let yearOfEra = y - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    static func civil(_ days: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let z = days + 719_468
        let era = floorDivide(z, 146_097)
        let dayOfEra = z - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shifted = (5 * dayOfYear + 2) / 153
        let month = shifted < 10 ? shifted + 3 : shifted - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * shifted + 2) / 5 + 1)
    }

    private static func length(_ month: Int64, _ year: Int64) -> Int64 {
        switch month {
        case 2: (year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    static func floorDivide(_ a: Int64, _ b: Int64) -> Int64 { a >= 0 ? a / b : -((-a + b - 1) / b) }
    static func floorRemainder(_ a: Int64, _ b: Int64) -> Int64 { a - floorDivide(a, b) * b }

    private struct Reader {
        var bytes: ArraySlice<UInt8>

        mutating func take(_ character: Unicode.Scalar) -> Bool {
            guard let first = bytes.first, UInt32(first) == character.value else { return false }
            bytes.removeFirst()
            return true
        }

        private mutating func digit() -> Int64? {
            guard let first = bytes.first, first >= 0x30, first <= 0x39 else { return nil }
            bytes.removeFirst()
            return Int64(first - 0x30)
        }

        mutating func number(_ width: Int) -> Int64? {
            var value: Int64 = 0
            for _ in 0..<width {
                guard let digit = digit() else { return nil }
                value = value * 10 + digit
            }
            return value
        }

        /// One to nine digits, as nanoseconds.
        mutating func fraction() -> Int64? {
            var value: Int64 = 0
            var count = 0
            while let digit = digit() {
                count += 1
                guard count <= 9 else { return nil }
                value = value * 10 + digit
            }
            guard count > 0 else { return nil }
            for _ in count..<9 { value *= 10 }
            return value
        }
    }
}
