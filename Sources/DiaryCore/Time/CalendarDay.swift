package import FoundationEssentials
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

/// A wall-clock time without a zone, of the place of a recording.
package struct LocalTime: Sendable, Hashable {
    package var year, month, day, hour, minute, second: Int

    package init(year: Int, month: Int, day: Int, hour: Int, minute: Int, second: Int) {
        self.year = year
        self.month = month
        self.day = day
        self.hour = hour
        self.minute = minute
        self.second = second
    }

    /// `YYYY-MM-DD`.
    package var date: String { "\(Self.digits(year, 4))-\(Self.digits(month, 2))-\(Self.digits(day, 2))" }

    /// `YYYY-MM-DD_HH-mm-ss`, the stem of every file name made from a recording.
    package var stem: String { "\(date)_\(Self.digits(hour, 2))-\(Self.digits(minute, 2))-\(Self.digits(second, 2))" }

    private static func digits(_ number: Int, _ width: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, width - text.utf8.count)) + text
    }
}

/// The one clock of the service. Tests pass their own.
package struct WallClock: Sendable {
    package let now: @Sendable () -> Date

    package static let system = WallClock { Date() }
}
