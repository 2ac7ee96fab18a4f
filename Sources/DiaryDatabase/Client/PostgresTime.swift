import FoundationEssentials

/// `timestamptz` is microseconds since 2000-01-01 UTC; `Date` counts seconds from 2001-01-01 UTC, 366 days later.
enum PostgresTime {
    private static let offset: Int64 = 366 * 86_400 * 1_000_000
    /// Range of `timestamptz`: 4714 BC to 294276 AD.
    private static let range: ClosedRange<Int64> = -211_813_488_000_000_000...9_223_371_331_199_999_999

    /// nil for a date that `timestamptz` cannot hold.
    static func microseconds(of date: Date) -> Int64? {
        guard let sinceReference = Int64(exactly: (date.timeIntervalSinceReferenceDate * 1_000_000).rounded()) else { return nil }
        let (count, overflow) = sinceReference.addingReportingOverflow(offset)
        return !overflow && range.contains(count) ? count : nil
    }

    /// nil for `infinity` and `-infinity`.
    static func date(microseconds count: Int64) -> Date? {
        guard range.contains(count) else { return nil }
        return Date(timeIntervalSinceReferenceDate: Double(count - offset) / 1_000_000)
    }
}
