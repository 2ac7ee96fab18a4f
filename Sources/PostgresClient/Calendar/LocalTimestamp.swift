import FoundationEssentials
import WireFormats

/// A wall-clock time without zone, as in `timestamp`.
package struct LocalTimestamp: Sendable, Hashable {
    package let year: Int
    package let month: Int
    package let day: Int
    package var hour: Int = 0
    package var minute: Int = 0
    package var second: Int = 0
    package var microsecond: Int = 0
}

extension LocalTimestamp {
    /// Postgres counts microseconds from 2000-01-01 00:00.
    init(postgresMicroseconds count: Int64) {
        let (days, inDay) = count.flooredDivision(by: 86_400_000_000)
        let date = GregorianDay(postgresDays: days)
        let seconds = Int(inDay / 1_000_000)
        self.init(
            year: date.year, month: date.month, day: date.day, hour: seconds / 3_600, minute: seconds / 60 % 60,
            second: seconds % 60, microsecond: Int(inDay % 1_000_000))
    }

    /// nil when a field is out of its range or the day does not exist.
    var postgresMicroseconds: Int64? {
        guard year >= 1, let days = GregorianDay(year: year, month: month, day: day)?.postgresDays,
            (0..<24).contains(hour), (0..<60).contains(minute), (0..<60).contains(second), (0..<1_000_000).contains(microsecond)
        else { return nil }
        return days * 86_400_000_000 + Int64((hour * 60 + minute) * 60 + second) * 1_000_000 + Int64(microsecond)
    }
}

extension LocalTimestamp: CustomStringConvertible {
    /// `YYYY-MM-DD HH:MM:SS`
    package var description: String {
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let digits = String(year)
        let date = String(repeating: "0", count: max(0, 4 - digits.utf8.count)) + digits + "-\(two(month))-\(two(day))"
        return "\(date) \(two(hour)):\(two(minute)):\(two(second))"
    }
}

extension GregorianDay {
    /// Postgres counts days from 2000-01-01, which is day 10,957 since 1970-01-01.
    private static let postgresEpoch: Int64 = 10_957

    /// - Parameter count: of a `date` or a `timestamp`, so within ± 10⁹.
    init(postgresDays count: Int64) { self.init(daysSince1970: Int(count + Self.postgresEpoch)) }

    var postgresDays: Int64 { Int64(daysSince1970) - Self.postgresEpoch }
}

/// `timestamptz` is microseconds since 2000-01-01 UTC; `Date` counts seconds from 2001-01-01 UTC, 366 days later.
enum PostgresTime {
    private static let offset: Int64 = 366 * 86_400 * 1_000_000
    /// Range of `timestamptz`: 4714 BC to 294276 AD.
    private static let range: ClosedRange<Int64> = -211_813_488_000_000_000...9_223_371_331_199_999_999

    /// nil for a date that `timestamptz` cannot hold.
    static func microseconds(of date: Date) -> Int64? {
        // Second and fraction apart: the product of both is a microsecond off for half of the times after 2140.
        let seconds = date.timeIntervalSinceReferenceDate
        guard seconds.magnitude < 9_224_000_000_000, let whole = Int64(exactly: seconds.rounded(.down)) else { return nil }
        let fraction = Int64(((seconds - seconds.rounded(.down)) * 1_000_000).rounded())
        let (micros, tooMany) = whole.multipliedReportingOverflow(by: 1_000_000)
        let (count, overflow) = micros.addingReportingOverflow(offset + fraction)
        return !tooMany && !overflow && range.contains(count) ? count : nil
    }

    /// nil for `infinity` and `-infinity`.
    static func date(microseconds count: Int64) -> Date? {
        guard range.contains(count) else { return nil }
        return Date(timeIntervalSinceReferenceDate: Double(count - offset) / 1_000_000)
    }
}
