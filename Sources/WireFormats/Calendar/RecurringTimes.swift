/// The times of a recurrence rule at one time of day by the wall clock of a zone, in seconds since 1970.
///
/// A time of day that the clock leaves out is the time at which it is put on; one that it shows twice is the first.
package struct RecurringTimes: Sendable {
    package let rule: RecurrenceRule
    package let start: GregorianDay
    package let hour: Int
    package let minute: Int
    package let zone: ZoneFile

    package init(_ rule: RecurrenceRule, start: GregorianDay, hour: Int, minute: Int, zone: ZoneFile) {
        self.rule = rule
        self.start = start
        self.hour = hour
        self.minute = minute
        self.zone = zone
    }

    /// The rule's times after a given one, in order.
    package func times(after time: Int) -> some Sequence<Int> {
        // The wall clock may be a day behind or ahead of it.
        let day = GregorianDay(daysSince1970: (time + zone.offset(at: time)).flooredDivision(by: 86_400).quotient - 1)
        return sequence(state: RecurrenceDays(rule, start: start, from: day)) { days in
            while let day = days.next() {
                let found = zone.time(ofLocal: day.daysSince1970 * 86_400 + hour * 3600 + minute * 60)
                if case .time(let end) = rule.end, found > end { return nil }
                if found > time { return found }
            }
            return nil
        }
    }

    package func next(after time: Int) -> Int? { times(after: time).first { _ in true } }
}
