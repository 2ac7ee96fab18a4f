/// A day of the proleptic Gregorian calendar; year 0 is 1 BC.
/// Arithmetic after Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms": years start in March, so that the leap day comes last.
package struct GregorianDay: Sendable, Hashable {
    package let year: Int
    /// 1 … 12.
    package let month: Int
    /// 1 … 31.
    package let day: Int

    /// Days from 0000-03-01 to 1970-01-01.
    private static let epoch = 719_468

    /// Nil when the calendar has no such day, or the year is outside 0 … 9999.
    package init?(year: Int, month: Int, day: Int) {
        guard (0...9999).contains(year), (1...12).contains(month), (1...Self.length(month, year)).contains(day) else { return nil }
        self.year = year
        self.month = month
        self.day = day
    }

    /// Exactly `YYYY-MM-DD`, 0001 … 9999.
    package init?(_ text: some StringProtocol) {
        var reader = DigitReader(Array(text.utf8))
        guard let year = reader.number(4), reader.take("-"), let month = reader.number(2), reader.take("-"), let day = reader.number(2),
            reader.isAtEnd, year >= 1
        else { return nil }
        self.init(year: year, month: month, day: day)
    }

    /// - Parameter count: within ± 10¹⁵; no 64-bit count of microseconds has more days than 10⁹.
    package init(daysSince1970 count: Int) {
        let (era, dayOfEra) = (count + Self.epoch).flooredDivision(by: 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shifted = (5 * dayOfYear + 2) / 153
        month = shifted < 10 ? shifted + 3 : shifted - 9
        day = dayOfYear - (153 * shifted + 2) / 5 + 1
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    }

    package var daysSince1970: Int {
        let (era, yearOfEra) = (month <= 2 ? year - 1 : year).flooredDivision(by: 400)
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - Self.epoch
    }

    /// 0 is Sunday, 6 is Saturday; 1970-01-01 was a Thursday.
    package var weekday: Int { (daysSince1970 + 4).flooredDivision(by: 7).remainder }

    package var next: GregorianDay { GregorianDay(daysSince1970: daysSince1970 + 1) }

    package var daysInMonth: Int { Self.length(month, year) }

    private static func length(_ month: Int, _ year: Int) -> Int {
        switch month {
        case 2: (year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }
}

extension GregorianDay: CustomStringConvertible {
    /// `YYYY-MM-DD`.
    package var description: String {
        let digits = String(year)
        return String(repeating: "0", count: max(0, 4 - digits.utf8.count)) + digits
            + (month < 10 ? "-0" : "-") + String(month) + (day < 10 ? "-0" : "-") + String(day)
    }
}

extension FixedWidthInteger where Self: SignedInteger {
    /// Quotient towards minus infinity, and a remainder that is never negative.
    /// - Parameter divisor: positive.
    @inlinable
    package func flooredDivision(by divisor: Self) -> (quotient: Self, remainder: Self) {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}
