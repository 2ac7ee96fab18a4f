/// A day of the proleptic Gregorian calendar, counted as Postgres counts: from 2000-01-01.
/// Arithmetic after H. Hinnant, "chrono-compatible low-level date algorithms".
struct CivilDate: Equatable {
    let year: Int
    let month: Int
    let day: Int

    /// Days from 0000-03-01 to 2000-01-01.
    private static let epoch: Int64 = 730_425

    init(unchecked year: Int, _ month: Int, _ day: Int) {
        self.year = year
        self.month = month
        self.day = day
    }

    /// nil when there is no such day, or the year is outside 1…9999.
    init?(year: Int, month: Int, day: Int) {
        guard (1...9_999).contains(year), (1...12).contains(month), (1...31).contains(day) else { return nil }
        self.init(unchecked: year, month, day)
        guard CivilDate(postgresDays: postgresDays) == self else { return nil }
    }

    /// Exactly `YYYY-MM-DD`.
    init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard bytes.count == 10, bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-") else { return nil }
        func number(_ range: Range<Int>) -> Int? {
            var sum = 0
            for byte in bytes[range] {
                guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
                sum = sum * 10 + Int(byte - UInt8(ascii: "0"))
            }
            return sum
        }
        guard let year = number(0..<4), let month = number(5..<7), let day = number(8..<10) else { return nil }
        self.init(year: year, month: month, day: day)
    }

    init(postgresDays: Int64) {
        let (era, dayOfEra) = (postgresDays + Self.epoch).flooredDivision(by: 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shifted = (5 * dayOfYear + 2) / 153
        let month = shifted < 10 ? shifted + 3 : shifted - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        self.init(unchecked: Int(year), Int(month), Int(dayOfYear - (153 * shifted + 2) / 5 + 1))
    }

    var postgresDays: Int64 {
        let (era, yearOfEra) = Int64(month <= 2 ? year - 1 : year).flooredDivision(by: 400)
        let dayOfYear = (153 * Int64(month > 2 ? month - 3 : month + 9) + 2) / 5 + Int64(day) - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - Self.epoch
    }

    /// `YYYY-MM-DD`
    var text: String {
        let digits = String(year)
        return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
            + (month < 10 ? "-0" : "-") + String(month) + (day < 10 ? "-0" : "-") + String(day)
    }
}

extension Int64 {
    /// Quotient towards minus infinity, and a remainder that is never negative.
    func flooredDivision(by divisor: Int64) -> (quotient: Int64, remainder: Int64) {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}
