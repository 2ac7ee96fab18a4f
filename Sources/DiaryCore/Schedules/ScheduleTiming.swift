package import FoundationEssentials
import WireFormats

/// When a schedule runs: on days, at a time of day by the wall clock of a zone, through its changes.
package struct ScheduleTiming: Sendable, Equatable {
    /// Stored and on the wire; raw values never change.
    package enum Every: String, Sendable, CaseIterable {
        case day, week, month, year
    }

    /// Stored and on the wire; raw values never change.
    package enum Weekday: String, Sendable, CaseIterable {
        case sunday, monday, tuesday, wednesday, thursday, friday, saturday
    }

    package var every: Every
    /// Of every week.
    package var weekday: Weekday?
    /// Of every month and year: 1 … 31. A month that is shorter has its last day.
    package var day: Int?
    /// Of every year: 1 … 12.
    package var month: Int?
    /// The time of day, in minutes.
    package var minute: Int
    package var timeZone: String

    package init(every: Every, weekday: Weekday?, day: Int?, month: Int?, minute: Int, timeZone: String) {
        self.every = every
        self.weekday = weekday
        self.day = day
        self.month = month
        self.minute = minute
        self.timeZone = timeZone
    }

    /// The first time after another one; nil when the zone is not in the database. A time of day that the clock leaves out is the time at which
    /// it is put on; one that it shows twice is the first.
    package func next(after date: Date, in zones: ZoneDatabase = .system) -> Date? {
        guard let zone = zones.zone(timeZone) else { return nil }
        let time = date.wholeSeconds
        // The wall clock may be a day behind; each day comes again within 366.
        let first = (time + zone.offset(at: time)).flooredDivision(by: 86_400).quotient - 1
        for day in first...(first + 370) where isOn(GregorianDay(daysSince1970: day)) {
            let found = zone.time(ofLocal: day * 86_400 + minute * 60)
            if found > time { return Date(timeIntervalSince1970: Double(found)) }
        }
        return nil
    }

    private func isOn(_ date: GregorianDay) -> Bool {
        switch every {
        case .day: true
        case .week: Weekday.allCases[date.weekday] == weekday
        case .month: isDay(date)
        case .year: date.month == month && isDay(date)
        }
    }

    private func isDay(_ date: GregorianDay) -> Bool { date.day == min(day ?? 1, date.daysInMonth) }
}

extension Date {
    /// Since 1970, rounded down.
    var wholeSeconds: Int { Int(timeIntervalSince1970.rounded(.down)) }
}
