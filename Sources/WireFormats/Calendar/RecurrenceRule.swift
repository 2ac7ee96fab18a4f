/// When something happens again, in days: a subset of iCalendar's recurrence rules (RFC 5545 section 3.3.10). Times of day are no part of it.
package struct RecurrenceRule: Sendable, Hashable {
    package enum Frequency: String, Sendable, CaseIterable {
        case daily = "DAILY"
        case weekly = "WEEKLY"
        case monthly = "MONTHLY"
        case yearly = "YEARLY"
    }

    /// `MO`, `1MO` (the first Monday), `-1FR` (the last Friday), of the month or, in a yearly rule without BYMONTH, of the year.
    package struct Weekday: Sendable, Hashable {
        /// nil: every one.
        package var number: Int?
        /// 0 is Sunday, 6 is Saturday.
        package var day: Int

        package init(_ day: Int, number: Int? = nil) {
            self.day = day
            self.number = number
        }
    }

    package enum End: Sendable, Hashable {
        case never
        /// After so many days, counted from the rule's start.
        case count(Int)
        /// After this day.
        case day(GregorianDay)
        /// After this time, in seconds since 1970.
        case time(Int)
    }

    package var frequency: Frequency
    /// Every so many days, weeks, months or years from the rule's start.
    package var interval = 1
    /// 1 … 12; empty: all.
    package var months: [Int] = []
    /// 1 … 31, and -1 … -31 from the end of the month; empty: all.
    package var monthDays: [Int] = []
    /// Empty: all.
    package var weekdays: [Weekday] = []
    package var end = End.never
    /// The weekday at which weeks begin, for a weekly rule of several weeks.
    package var weekStart = 1

    package init(
        _ frequency: Frequency, interval: Int = 1, months: [Int] = [], monthDays: [Int] = [], weekdays: [Weekday] = [], end: End = .never,
        weekStart: Int = 1
    ) {
        self.frequency = frequency
        self.interval = interval
        self.months = months
        self.monthDays = monthDays
        self.weekdays = weekdays
        self.end = end
        self.weekStart = weekStart
    }

    /// Bounds of what is read: a rule is evaluated while a request waits.
    package static let longestInterval = 1_000
    package static let mostCounted = 1_000

    static let weekdayNames = ["SU", "MO", "TU", "WE", "TH", "FR", "SA"]
}

extension RecurrenceRule: CustomStringConvertible {
    /// The rule as RFC 5545 writes it; `init(_:)` reads it.
    package var description: String {
        var parts = ["FREQ=\(frequency.rawValue)"]
        if interval > 1 { parts.append("INTERVAL=\(interval)") }
        if !months.isEmpty { parts.append("BYMONTH=" + months.map { String($0) }.joined(separator: ",")) }
        if !monthDays.isEmpty { parts.append("BYMONTHDAY=" + monthDays.map { String($0) }.joined(separator: ",")) }
        if !weekdays.isEmpty {
            let names = weekdays.map { weekday in
                (weekday.number.map { String($0) } ?? "") + Self.weekdayNames[weekday.day % 7]
            }
            parts.append("BYDAY=" + names.joined(separator: ","))
        }
        switch end {
        case .never: break
        case .count(let count): parts.append("COUNT=\(count)")
        case .day(let day): parts.append("UNTIL=" + day.description.replacing("-", with: ""))
        case .time(let time):
            let (days, second) = time.flooredDivision(by: 86_400)
            let clock = [second / 3600, second / 60 % 60, second % 60].map { $0 < 10 ? "0\($0)" : String($0) }.joined()
            parts.append("UNTIL=" + GregorianDay(daysSince1970: days).description.replacing("-", with: "") + "T\(clock)Z")
        }
        if weekStart != 1 { parts.append("WKST=\(Self.weekdayNames[weekStart % 7])") }
        return parts.joined(separator: ";")
    }
}
