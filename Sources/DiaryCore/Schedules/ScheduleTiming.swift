package import FoundationEssentials
package import WireFormats

/// When a schedule runs: the days of a rule, and a time of day by the wall clock of a zone, through its changes.
package struct ScheduleTiming: Sendable, Hashable {
    package var rule: RecurrenceRule
    /// From which intervals and COUNT count.
    package var startsOn: CalendarDay
    package var hour: Int
    package var minute: Int
    package var timeZone: String

    /// nil when the zone is not in the database.
    package func times(_ zones: ZoneDatabase = .system) -> RecurringTimes? {
        guard let zone = zones.zone(timeZone), let start = startsOn.gregorian else { return nil }
        return RecurringTimes(rule, start: start, hour: hour, minute: minute, zone: zone)
    }
}

extension RecurringTimes {
    /// The first time after another one.
    package func next(after date: Date) -> Date? {
        next(after: date.wholeSeconds).map { Date(timeIntervalSince1970: Double($0)) }
    }
}

extension ZoneFile {
    /// The day and the second of the day that the zone's wall clock shows.
    func dayAndSecond(at date: Date) -> (GregorianDay, Int) {
        let time = date.wholeSeconds
        let (day, second) = (time + offset(at: time)).flooredDivision(by: 86_400)
        return (GregorianDay(daysSince1970: day), second)
    }
}

extension Date {
    /// Since 1970, rounded down.
    var wholeSeconds: Int { Int(timeIntervalSince1970.rounded(.down)) }
}

extension CalendarDay {
    var gregorian: GregorianDay? { GregorianDay(year: year, month: month, day: day) }

    init(_ day: GregorianDay) {
        self.init(LocalTime(year: day.year, month: day.month, day: day.day, hour: 0, minute: 0, second: 0))
    }
}
