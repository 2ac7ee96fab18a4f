package import FoundationEssentials
import WireFormats

/// The one clock. Tests hand in their own.
package struct WallClock: Sendable {
    package let now: @Sendable () -> Date

    package init(now: @escaping @Sendable () -> Date) { self.now = now }

    package static let system = WallClock { Date() }
}

/// A wall-clock time without a zone, as a recording's place had it.
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

/// A calendar day, proleptic Gregorian, 0001 … 9999.
package struct CalendarDay: Sendable, Hashable, Comparable, CustomStringConvertible {
    package let year, month, day: Int

    package init?(_ text: some StringProtocol) {
        guard let day = GregorianDay(String(text)) else { return nil }
        (year, month, self.day) = (day.year, day.month, day.day)
    }

    /// The day of a wall-clock time, which the database took for one.
    package init(_ time: LocalTime) {
        year = time.year
        month = time.month
        day = time.day
    }

    package var description: String { LocalTime(year: year, month: month, day: day, hour: 0, minute: 0, second: 0).date }

    package static func < (a: Self, b: Self) -> Bool { (a.year, a.month, a.day) < (b.year, b.month, b.day) }
}
