package import FoundationEssentials
import WireFormats

/// Days and times as people write them: `22 November 2026, 21:15 (Berlin time)`, `22. November 2026, 21:15 (Zeit in Berlin)`. In English, where
/// the locale's region writes the month first, `November 22, 2026, 9:15 PM (Los Angeles time)`. Nothing else of a locale is used.
package struct ReadableDates: Sendable {
    private let isMonthFirst: Bool
    private let hasTwelveHours: Bool
    private let language: WrittenLanguage
    private let zones: ZoneDatabase

    /// - Parameters:
    ///   - locale: a language tag, as the account has it; nil writes the day first and counts 24 hours.
    ///   - language: of the text that they stand in.
    package init(locale: String?, language: WrittenLanguage = .en, zones: ZoneDatabase = .system) {
        let region = language == .en ? Self.region(locale) : ""
        self.language = language
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
        if from == CalendarDay.all.lowerBound, to == CalendarDay.all.upperBound { return allDays }
        if from == to { return text(from) }
        guard from.year == to.year else { return "\(text(from)) \(until) \(text(to))" }
        let (first, last) = (month(from.month), month(to.month))
        if isMonthFirst {
            return "\(first) \(from.day) to \(first == last ? "" : last + " ")\(to.day), \(to.year)"
        }
        return "\(number(from.day))\(first == last ? "" : of + first) \(until) \(text(to))"
    }

    private var allDays: String {
        switch language {
        case .en: "all days"
        case .de: "alle Tage"
        case .es: "todos los días"
        case .fr: "tous les jours"
        }
    }

    /// Between the days of a range.
    private var until: String {
        switch language {
        case .en: "to"
        case .de: "bis"
        case .es: "al"
        case .fr: "au"
        }
    }

    /// Between a day and its month.
    private var of: String { language == .es ? " de " : " " }

    private func number(_ day: Int) -> String {
        switch language {
        case .en, .es: String(day)
        case .de: "\(day)."
        case .fr: day == 1 ? "1er" : String(day)
        }
    }

    /// `July 2026`.
    package func month(of day: CalendarDay) -> String { "\(month(day.month))\(language == .es ? " de" : "") \(day.year)" }

    /// `21:15`, or `9:15 PM`.
    package func clock(_ time: LocalTime) -> String { clock(hour: time.hour, minute: time.minute) }

    /// `Berlin time`, as it was or will be called at a time.
    package func zone(_ zone: String, at date: Date) -> String { name(zone, zones.offset(of: zone, at: date)) }

    /// A time in a zone, to the minute before it; in UTC, and saying so, when the zone is not known here.
    package func text(_ date: Date, in zone: String) -> String {
        let offset = zones.offset(of: zone, at: date)
        let minutes = (Int(date.timeIntervalSince1970.rounded(.down)) + (offset ?? 0)).flooredDivision(by: 60).quotient
        let (days, minute) = minutes.flooredDivision(by: 1440)
        let day = GregorianDay(daysSince1970: days)
        let clock = clock(hour: minute / 60, minute: minute % 60)
        return "\(text(day.year, day.month, day.day)), \(clock) (\(name(zone, offset)))"
    }

    private func text(_ year: Int, _ month: Int, _ day: Int) -> String {
        if isMonthFirst { return "\(self.month(month)) \(day), \(year)" }
        return "\(number(day))\(of)\(self.month(month))\(language == .es ? " de" : "") \(year)"
    }

    private func clock(hour: Int, minute: Int) -> String {
        guard hasTwelveHours else { return "\(Self.two(hour)):\(Self.two(minute))" }
        return "\((hour + 11) % 12 + 1):\(Self.two(minute)) \(hour < 12 ? "AM" : "PM")"
    }

    /// `Berlin time`; a zone of no place is named by its offset.
    private func name(_ zone: String, _ offset: Int?) -> String {
        guard let offset else { return "UTC" }
        if let slash = zone.lastIndex(of: "/"), !zone.hasPrefix("Etc/") {
            let place = zone[zone.index(after: slash)...].replacing("_", with: " ")
            return switch language {
            case .en: "\(place) time"
            case .de: "Zeit in \(place)"
            case .es: "hora de \(place)"
            case .fr: "heure de \(place)"
            }
        }
        guard offset != 0 else { return "UTC" }
        let (hours, seconds) = abs(offset).quotientAndRemainder(dividingBy: 3600)
        return "UTC\(offset < 0 ? "-" : "+")\(hours)\(seconds == 0 ? "" : ":" + Self.two(seconds / 60))"
    }

    private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : String(number) }

    private func month(_ number: Int) -> String {
        let months =
            switch language {
            case .en: Self.english
            case .de: Self.german
            case .es: Self.spanish
            case .fr: Self.french
            }
        return months.indices.contains(number - 1) ? months[number - 1] : ""
    }

    private static let german = [
        "Januar", "Februar", "März", "April", "Mai", "Juni", "Juli", "August", "September", "Oktober", "November", "Dezember",
    ]
    private static let spanish = [
        "enero", "febrero", "marzo", "abril", "mayo", "junio", "julio", "agosto", "septiembre", "octubre", "noviembre", "diciembre",
    ]
    private static let french = [
        "janvier", "février", "mars", "avril", "mai", "juin", "juillet", "août", "septembre", "octobre", "novembre", "décembre",
    ]
    private static let english = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December",
    ]
}
