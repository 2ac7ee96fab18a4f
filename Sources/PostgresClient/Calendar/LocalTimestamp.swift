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
