/// A calendar day, proleptic Gregorian, 0001 … 9999.
package struct CalendarDay: Sendable, Hashable, Comparable, CustomStringConvertible {
    package let year, month, day: Int

    package init?(_ text: some StringProtocol) {
        let bytes = Array(text.utf8)
        guard bytes.count == 10, bytes[4] == 0x2D, bytes[7] == 0x2D else { return nil }
        func number(_ range: Range<Int>) -> Int? {
            var value = 0
            for byte in bytes[range] {
                guard byte >= 0x30, byte <= 0x39 else { return nil }
                value = value * 10 + Int(byte - 0x30)
            }
            return value
        }
        guard let year = number(0..<4), let month = number(5..<7), let day = number(8..<10), year >= 1, (1...12).contains(month),
            day >= 1, day <= Self.length(month, year)
        else { return nil }
        self.year = year
        self.month = month
        self.day = day
    }

    /// The day of a wall-clock time, which the database took for one.
    package init(_ time: LocalTime) {
        year = time.year
        month = time.month
        day = time.day
    }

    private static func length(_ month: Int, _ year: Int) -> Int {
        switch month {
        case 2: (year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    package var description: String { LocalTime(year: year, month: month, day: day, hour: 0, minute: 0, second: 0).date }

    package static func < (a: Self, b: Self) -> Bool { (a.year, a.month, a.day) < (b.year, b.month, b.day) }
}
