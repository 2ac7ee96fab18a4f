package import WireFormats

/// A rule in the words of an app: every week on Tuesday, every month on the last day, every year on the 1st of May.
package struct SimpleRecurrence: Sendable, Equatable {
    package enum Weekday: String, Sendable, CaseIterable {
        case sunday, monday, tuesday, wednesday, thursday, friday, saturday
    }

    package var frequency: RecurrenceRule.Frequency
    /// The day of a weekly rule.
    package var weekday: Weekday?
    /// The day of a monthly or yearly rule: 1 …, or -1 for the last day of the month.
    package var day: Int?
    /// The month of a yearly rule.
    package var month: Int?

    package init(_ frequency: RecurrenceRule.Frequency, weekday: Weekday? = nil, day: Int? = nil, month: Int? = nil) {
        self.frequency = frequency
        self.weekday = weekday
        self.day = day
        self.month = month
    }

    /// nil for a rule that says more than these words can.
    package init?(_ rule: RecurrenceRule) {
        guard rule.interval == 1, rule.end == .never else { return nil }
        switch rule.frequency {
        case .daily:
            guard rule == RecurrenceRule(.daily) else { return nil }
            self.init(.daily)
        case .weekly:
            guard rule.months.isEmpty, rule.weekdays.count == 1, let day = rule.weekdays.first?.day else { return nil }
            self.init(.weekly, weekday: Weekday.allCases[day % 7])
        case .monthly:
            guard rule.months.isEmpty, rule.weekdays.isEmpty, rule.monthDays.count == 1, let day = rule.monthDays.first, day <= 28,
                day >= -1
            else {
                return nil
            }
            self.init(.monthly, day: day)
        case .yearly:
            guard rule.weekdays.isEmpty, rule.months.count == 1, rule.monthDays.count == 1, let month = rule.months.first,
                let day = rule.monthDays.first, day >= -1
            else { return nil }
            self.init(.yearly, day: day, month: month)
        }
    }

    /// The rule; without a day the first of the week, the month or the year. `fault` is the member that does not fit, and why.
    package func rule() throws(SimpleRecurrenceError) -> RecurrenceRule {
        if weekday != nil, frequency != .weekly { throw .init("weekday", "belongs to the frequency weekly") }
        if day != nil, frequency != .monthly, frequency != .yearly { throw .init("day", "belongs to the frequencies monthly and yearly") }
        if month != nil, frequency != .yearly { throw .init("month", "belongs to the frequency yearly") }
        switch frequency {
        case .daily: return RecurrenceRule(.daily)
        case .weekly:
            let number = Weekday.allCases.firstIndex(of: weekday ?? .monday) ?? 1
            return RecurrenceRule(.weekly, weekdays: [.init(number)])
        case .monthly:
            let day = day ?? 1
            guard (1...28).contains(day) || day == -1 else { throw .init("day", "must be 1 to 28, or -1 for the last day of the month") }
            return RecurrenceRule(.monthly, monthDays: [day])
        case .yearly:
            let (month, day) = (month ?? 1, day ?? 1)
            // A year without leap day: every year must have the day.
            guard day == -1 || GregorianDay(year: 2001, month: month, day: day) != nil else {
                throw .init("day", "must be a day that the month has in every year, or -1 for its last day")
            }
            return RecurrenceRule(.yearly, months: [month], monthDays: [day])
        }
    }
}

package struct SimpleRecurrenceError: Error {
    package let member: String
    package let detail: String

    init(_ member: String, _ detail: String) {
        self.member = member
        self.detail = detail
    }
}
