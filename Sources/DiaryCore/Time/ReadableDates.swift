package import FoundationEssentials
import WireFormats

/// Days and times as people write them: `22 November 2026, 21:15 (Berlin time)`, `22. November 2026, 21:15 (Zeit in Berlin)`. In English, where
/// the locale's region writes the month first, `November 22, 2026, 9:15 PM (Los Angeles time)`. Nothing else of a locale is used.
package struct ReadableDates: Sendable {
    private let isMonthFirst: Bool
    private let hasTwelveHours: Bool
    private let forms: DateForms
    private let zones: ZoneDatabase

    /// - Parameters:
    ///   - locale: a language tag, as the account has it; nil writes the day first and counts 24 hours.
    ///   - language: of the text that they stand in.
    package init(locale: String?, language: WrittenLanguage = .en, zones: ZoneDatabase = .system) {
        let region = language == .en ? Self.region(locale) : ""
        forms = DateForms.of(language)
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

    /// One day as one; what both ends share is written once: `1 to 31 July 2026`. Without a first day `until 31 July 2026`.
    package func text(_ from: CalendarDay, to: CalendarDay) -> String {
        switch (from == CalendarDay.all.lowerBound, to == CalendarDay.all.upperBound) {
        case (true, true): return forms.allDays
        case (true, false): return forms.until.replacing("#", with: text(to))
        case (false, true): return forms.since.replacing("#", with: text(from))
        case (false, false): break
        }
        if from == to { return text(from) }
        guard from.year == to.year else { return "\(text(from))\(forms.range)\(text(to))" }
        let (first, last) = (month(from.month), month(to.month))
        if isMonthFirst {
            return "\(first) \(from.day) to \(first == last ? "" : last + " ")\(to.day), \(to.year)"
        }
        return "\(number(from.day))\(first == last ? "" : forms.beforeMonth + first)\(forms.range)\(text(to))"
    }

    private func number(_ day: Int) -> String { "\(day)\(day == 1 ? forms.afterFirstDay : forms.afterDay)" }

    /// `July 2026`.
    package func month(of day: CalendarDay) -> String { "\(month(day.month))\(forms.beforeYear)\(day.year)" }

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
        return "\(number(day))\(forms.beforeMonth)\(self.month(month))\(forms.beforeYear)\(year)"
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
            return forms.zone.replacing("#", with: place)
        }
        guard offset != 0 else { return "UTC" }
        let (hours, seconds) = abs(offset).quotientAndRemainder(dividingBy: 3600)
        return "UTC\(offset < 0 ? "-" : "+")\(hours)\(seconds == 0 ? "" : ":" + Self.two(seconds / 60))"
    }

    private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : String(number) }

    private func month(_ number: Int) -> String { forms.months.indices.contains(number - 1) ? forms.months[number - 1] : "" }
}

enum DateWord: String, WrittenKey {
    static let section = "dates"

    case months
    /// `#`: the day's number.
    case day, firstDay
    /// `#` and `##`, and between them what stands there: day and month, month and year, first and last day of a range.
    case dayMonth, monthYear, range
    case allDays
    /// `#`: the last day, the first day.
    case until, since
    /// `#`: the place.
    case zone
}

/// How a language writes dates, read once: lists of entries have many.
private struct DateForms: Sendable {
    let months: [String]
    let afterDay, afterFirstDay, beforeMonth, beforeYear, range, allDays, until, since, zone: String

    private init(_ language: WrittenLanguage) {
        let words = Words<DateWord>(language)
        func between(_ key: DateWord) -> String { words[key].replacing("#", with: "") }
        months = words.list(.months)
        (afterDay, afterFirstDay) = (between(.day), between(.firstDay))
        (beforeMonth, beforeYear, range) = (between(.dayMonth), between(.monthYear), between(.range))
        (allDays, until, since, zone) = (words[.allDays], words[.until], words[.since], words[.zone])
    }

    private static let all = Dictionary(uniqueKeysWithValues: WrittenLanguage.allCases.map { ($0, DateForms($0)) })

    static func of(_ language: WrittenLanguage) -> DateForms { all[language] ?? DateForms(language) }
}
