/// The days of a recurrence rule, in order. Ends at the rule's COUNT or UNTIL day, and where no day was found for a century.
package struct RecurrenceDays: Sequence, IteratorProtocol {
    private let rule: RecurrenceRule
    private let start: GregorianDay
    /// Days before it are left out.
    private let from: Int
    /// Since 1970; days after it are not looked for.
    private var last: Int
    /// Days, weeks, months or years from the start, in steps of the interval.
    private var step: Int
    /// Days of the step that was looked at last, since 1970, in order.
    private var found: ArraySlice<Int> = []
    /// What COUNT leaves.
    private var left = Int.max

    private static let century = 36_525

    /// - Parameters:
    ///   - start: the first day that may be one, from which intervals and COUNT count. Where the rule names no day of the week, month or
    ///     year, it is the start's (RFC 5545, DTSTART).
    ///   - from: the first day that is wanted.
    package init(_ rule: RecurrenceRule, start: GregorianDay, from: GregorianDay) {
        var rule = rule
        if rule.monthDays.isEmpty, rule.weekdays.isEmpty {
            switch rule.frequency {
            case .daily: break
            case .weekly: rule.weekdays = [.init(start.weekday)]
            case .monthly: rule.monthDays = [start.day]
            case .yearly:
                rule.monthDays = [start.day]
                if rule.months.isEmpty { rule.months = [start.month] }
            }
        }
        self.rule = rule
        self.start = start
        self.from = Swift.max(from.daysSince1970, start.daysSince1970)
        last = self.from + Self.century
        if case .day(let day) = rule.end { last = Swift.min(last, day.daysSince1970) }
        if case .count(let count) = rule.end {
            left = count
            step = 0
        } else {
            step = Swift.max(0, Self.distance(rule, start, GregorianDay(daysSince1970: self.from)) / Swift.max(1, rule.interval))
        }
    }

    package mutating func next() -> GregorianDay? {
        while left > 0 {
            while let day = found.popFirst() {
                guard day <= last else { return nil }
                left -= 1
                if day >= from { return GregorianDay(daysSince1970: day) }
                if left == 0 { return nil }
            }
            guard let days = days(of: step * rule.interval), days.lowerBound <= last else { return nil }
            step += 1
            found = days.filter { $0 >= start.daysSince1970 && isOne($0) }[...]
        }
        return nil
    }

    /// Units from the start to a later day.
    private static func distance(_ rule: RecurrenceRule, _ start: GregorianDay, _ day: GregorianDay) -> Int {
        switch rule.frequency {
        case .daily: day.daysSince1970 - start.daysSince1970
        case .weekly: (day.daysSince1970 - week(rule, start)) / 7
        case .monthly: (day.year - start.year) * 12 + day.month - start.month
        case .yearly: day.year - start.year
        }
    }

    /// The first day of the week of the start.
    private static func week(_ rule: RecurrenceRule, _ start: GregorianDay) -> Int {
        start.daysSince1970 - (start.weekday - rule.weekStart + 7) % 7
    }

    /// The days of the unit at a distance from the start; nil after the calendar.
    private func days(of distance: Int) -> ClosedRange<Int>? {
        switch rule.frequency {
        case .daily:
            let day = start.daysSince1970 + distance
            return day...day
        case .weekly:
            let first = Self.week(rule, start) + distance * 7
            return first...(first + 6)
        case .monthly:
            let (years, month) = (start.month - 1 + distance).quotientAndRemainder(dividingBy: 12)
            guard let first = GregorianDay(year: start.year + years, month: month + 1, day: 1) else { return nil }
            return first.daysSince1970...(first.daysSince1970 + first.daysInMonth - 1)
        case .yearly:
            guard let first = GregorianDay(year: start.year + distance, month: 1, day: 1),
                let last = GregorianDay(year: start.year + distance, month: 12, day: 31)
            else { return nil }
            return first.daysSince1970...last.daysSince1970
        }
    }

    private func isOne(_ number: Int) -> Bool {
        let day = GregorianDay(daysSince1970: number)
        guard rule.months.isEmpty || rule.months.contains(day.month) else { return false }
        let fromEnd = day.day - day.daysInMonth - 1
        guard rule.monthDays.isEmpty || rule.monthDays.contains(day.day) || rule.monthDays.contains(fromEnd) else { return false }
        guard !rule.weekdays.isEmpty else { return true }
        return rule.weekdays.contains { $0.day == day.weekday && ($0.number.map { isNumber($0, day, fromEnd) } ?? true) }
    }

    /// Whether the day is the `wanted`th of its weekday in its month, or in its year where the rule names no months.
    private func isNumber(_ wanted: Int, _ day: GregorianDay, _ fromEnd: Int) -> Bool {
        if rule.frequency == .yearly, rule.months.isEmpty {
            guard let first = GregorianDay(year: day.year, month: 1, day: 1), let last = GregorianDay(year: day.year, month: 12, day: 31)
            else {
                return false
            }
            let number = day.daysSince1970
            return wanted > 0
                ? (number - first.daysSince1970) / 7 + 1 == wanted : (number - last.daysSince1970) / 7 - 1 == wanted
        }
        return wanted > 0 ? (day.day - 1) / 7 + 1 == wanted : (fromEnd + 1) / 7 - 1 == wanted
    }
}
