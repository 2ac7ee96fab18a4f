package import FoundationEssentials
import WireFormats

/// Days and times as people write them, in English: `22 November 2026, 21:15 (Berlin time)`. Where the locale's region writes the month
/// first, `November 22, 2026, 9:15 PM (Los Angeles time)`. Nothing else of a locale is used.
package struct ReadableDates: Sendable {
    private let isMonthFirst: Bool
    private let hasTwelveHours: Bool
    private let zones: ZoneDatabase

    /// - Parameter locale: a language tag, as the account has it; nil writes the day first and counts 24 hours.
    package init(locale: String?, zones: ZoneDatabase = .system) {
        let region = Self.region(locale)
        isMonthFirst = Self.monthFirst.contains(region)
        hasTwelveHours = isMonthFirst || Self.dayFirstWithTwelveHours.contains(region)
        self.zones = zones
    }

    /// Regions that write November 22, 2026, 9:15 PM (CLDR 44, English): the United States and what they administer, and the Philippines.
    private static let monthFirst: Set<String> = ["US", "PR", "GU", "VI", "AS", "MP", "UM", "PH"]
    /// 22 November 2026, 9:15 PM.
    private static let dayFirstWithTwelveHours: Set<String> = ["AU", "NZ", "IN", "PK", "MY", "SG", "CA"]

    /// The region subtag (RFC 5646: two letters or three digits, after the language and before variants); `en` alone is American.
    private static func region(_ locale: String?) -> String {
        guard let locale else { return "" }
        let parts = locale.split { $0 == "-" || $0 == "_" }
        if parts.count == 1, parts.first?.lowercased() == "en" { return "US" }
        return parts.dropFirst().prefix { $0.utf8.count > 1 }.first { $0.utf8.count == 2 }?.uppercased() ?? ""
    }

    package func text(_ day: CalendarDay) -> String { text(day.year, day.month, day.day) }

    /// One day as one; what both ends share is written once: `1 to 31 July 2026`.
    package func text(_ from: CalendarDay, to: CalendarDay) -> String {
        if from == CalendarDay.all.lowerBound, to == CalendarDay.all.upperBound { return "all days" }
        if from == to { return text(from) }
        guard from.year == to.year else { return "\(text(from)) to \(text(to))" }
        let (first, last) = (Self.month(from.month), Self.month(to.month))
        if isMonthFirst {
            return "\(first) \(from.day) to \(first == last ? "" : last + " ")\(to.day), \(to.year)"
        }
        return "\(from.day)\(first == last ? "" : " " + first) to \(to.day) \(last) \(to.year)"
    }

    /// A time in a zone, to the minute before it; in UTC, and saying so, when the zone is not known here.
    package func text(_ date: Date, in zone: String) -> String {
        let offset = zones.offset(of: zone, at: date)
        let minutes = (Int(date.timeIntervalSince1970.rounded(.down)) + (offset ?? 0)).flooredDivision(by: 60).quotient
        let (days, minute) = minutes.flooredDivision(by: 1440)
        let day = GregorianDay(daysSince1970: days)
        let clock = clock(hour: minute / 60, minute: minute % 60)
        return "\(text(day.year, day.month, day.day)), \(clock) (\(Self.name(zone, offset)))"
    }

    private func text(_ year: Int, _ month: Int, _ day: Int) -> String {
        isMonthFirst ? "\(Self.month(month)) \(day), \(year)" : "\(day) \(Self.month(month)) \(year)"
    }

    private func clock(hour: Int, minute: Int) -> String {
        guard hasTwelveHours else { return "\(Self.two(hour)):\(Self.two(minute))" }
        return "\((hour + 11) % 12 + 1):\(Self.two(minute)) \(hour < 12 ? "AM" : "PM")"
    }

    /// `Berlin time`; a zone of no place is named by its offset.
    private static func name(_ zone: String, _ offset: Int?) -> String {
        guard let offset else { return "UTC" }
        if let slash = zone.lastIndex(of: "/"), !zone.hasPrefix("Etc/") {
            return zone[zone.index(after: slash)...].replacing("_", with: " ") + " time"
        }
        guard offset != 0 else { return "UTC" }
        let (hours, seconds) = abs(offset).quotientAndRemainder(dividingBy: 3600)
        return "UTC\(offset < 0 ? "-" : "+")\(hours)\(seconds == 0 ? "" : ":" + two(seconds / 60))"
    }

    private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : String(number) }

    private static func month(_ number: Int) -> String { months.indices.contains(number - 1) ? months[number - 1] : "" }

    private static let months = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December",
    ]
}
