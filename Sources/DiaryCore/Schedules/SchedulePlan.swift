package import FoundationEssentials
package import WireFormats

/// What a run of a schedule covers, and when the next one is.
package struct SchedulePlan: Sendable, Equatable {
    /// nil after the last one.
    package var nextRunAt: Date?
    /// Days of the entries, both inclusive.
    package var days: ClosedRange<CalendarDay>
    /// For the next run; nil: as it is.
    package var coveredTo: CalendarDay?
}

extension SchedulePlan {
    /// The plan of a due period. When several periods were missed, one run covers them all.
    package init?(_ due: DueSchedule, _ times: RecurringTimes) {
        var latest = due.dueAt.wholeSeconds
        var next: Int?
        for time in times.times(after: latest) {
            guard time <= due.now.wholeSeconds else {
                next = time
                break
            }
            latest = time
        }
        let nextRunAt = next.map { Date(timeIntervalSince1970: Double($0)) }
        guard due.covers == .period else {
            self.init(nextRunAt: nextRunAt, days: CalendarDay.all)
            return
        }
        let first = Self.diaryDay(due.dueAt.wholeSeconds, times.zone, due.dayEndsMinute)
        let last = Self.diaryDay(latest, times.zone, due.dayEndsMinute) - 1
        let from = due.coveredTo?.gregorian.map { $0.daysSince1970 + 1 } ?? times.rule.before(first)
        guard let range = CalendarDay.range(min(from, last), last) else { return nil }
        self.init(nextRunAt: nextRunAt, days: range, coveredTo: range.upperBound)
    }

    /// The days of a run that the owner asks for now: from the day after the last covered one, which includes the days of failed runs, to
    /// today. It does not change what the next scheduled run covers.
    static func daysNow(covered: CalendarDay?, _ times: RecurringTimes, dayEndsMinute: Int, now: Date) -> ClosedRange<CalendarDay>? {
        let today = diaryDay(now.wholeSeconds, times.zone, dayEndsMinute)
        let from = covered?.gregorian.map { $0.daysSince1970 + 1 } ?? times.rule.before(today)
        return CalendarDay.range(min(from, today), today)
    }

    /// The entries' day at a time (decision D17), in days since 1970.
    private static func diaryDay(_ time: Int, _ zone: ZoneFile, _ dayEndsMinute: Int) -> Int {
        (time + zone.offset(at: time) - dayEndsMinute * 60).flooredDivision(by: 86_400).quotient
    }
}

extension RecurrenceRule {
    /// One interval before a day, in days since 1970.
    func before(_ number: Int) -> Int {
        let day = GregorianDay(daysSince1970: number)
        switch frequency {
        case .daily: return number - interval
        case .weekly: return number - 7 * interval
        case .monthly, .yearly:
            let months = frequency == .monthly ? interval : 12 * interval
            let (year, month) = (day.year * 12 + day.month - 1 - months).flooredDivision(by: 12)
            // The 31st of a month before a shorter one.
            for last in stride(from: day.day, to: 0, by: -1) {
                if let found = GregorianDay(year: year, month: month + 1, day: last) { return found.daysSince1970 }
            }
            return number - 31 * months
        }
    }
}

extension CalendarDay {
    /// Every day of the calendar.
    package static let all = first...last
    private static let first = CalendarDay(LocalTime(year: 1, month: 1, day: 1, hour: 0, minute: 0, second: 0))
    private static let last = CalendarDay(LocalTime(year: 9999, month: 12, day: 31, hour: 0, minute: 0, second: 0))

    /// nil outside the calendar. Days since 1970, in order.
    static func range(_ from: Int, _ to: Int) -> ClosedRange<CalendarDay>? {
        let (from, to) = (CalendarDay(GregorianDay(daysSince1970: from)), CalendarDay(GregorianDay(daysSince1970: to)))
        guard from <= to, all.contains(from), all.contains(to) else { return nil }
        return from...to
    }
}
