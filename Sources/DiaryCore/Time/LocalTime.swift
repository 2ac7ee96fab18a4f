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
