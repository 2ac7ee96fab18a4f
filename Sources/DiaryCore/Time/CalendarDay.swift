import WireFormats

/// A calendar day, proleptic Gregorian, 0001 … 9999.
package struct CalendarDay: Sendable, Hashable, Comparable, CustomStringConvertible {
    package let year, month, day: Int

    package init?(_ text: some StringProtocol) {
        guard let day = GregorianDay(String(text)) else { return nil }
        (year, month, self.day) = (day.year, day.month, day.day)
    }

    /// The day of a wall-clock time that the database has computed.
    package init(_ time: LocalTime) {
        year = time.year
        month = time.month
        day = time.day
    }

    package var description: String { LocalTime(year: year, month: month, day: day, hour: 0, minute: 0, second: 0).date }

    package static func < (a: Self, b: Self) -> Bool { (a.year, a.month, a.day) < (b.year, b.month, b.day) }

    /// Every day of the calendar.
    package static let all = first...last
    private static let first = CalendarDay(LocalTime(year: 1, month: 1, day: 1, hour: 0, minute: 0, second: 0))
    private static let last = CalendarDay(LocalTime(year: 9999, month: 12, day: 31, hour: 0, minute: 0, second: 0))
}
