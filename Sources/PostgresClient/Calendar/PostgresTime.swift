import FoundationEssentials

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
