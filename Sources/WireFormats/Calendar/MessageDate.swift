package import FoundationEssentials

/// What HTTP's and mail's dates share: an English date and time in UTC.
enum MessageDate {
    /// Cuts fractions of a second; a time outside 0001 … 9999 becomes the nearest end.
    static func text(_ date: Date, zone: String) -> String {
        let seconds = date.timeIntervalSince1970
        let limited = seconds.isNaN ? 0 : min(max(seconds, -62_135_596_800), 253_402_300_799)
        let (days, rest) = Int(limited.rounded(.down)).flooredDivision(by: 86_400)
        let day = GregorianDay(daysSince1970: days)
        let clock = "\(two(rest / 3600)):\(two(rest / 60 % 60)):\(two(rest % 60))"
        let date = "\(two(day.day)) \(months[day.month - 1]) \(two(day.year / 100))\(two(day.year % 100))"
        return "\(weekdays[day.weekday]), \(date) \(clock) \(zone)"
    }

    /// Reads exactly what `text` writes; nil for anything else.
    static func date(_ text: some StringProtocol, zone: String) -> Date? {
        let parts = text.split(separator: " ", omittingEmptySubsequences: false)
        guard parts.count == 6, parts[0].hasSuffix(","), weekdays.contains(String(parts[0].dropLast())), parts[5] == zone,
            let month = months.firstIndex(of: String(parts[2])), let day = number(parts[1], 2), let year = number(parts[3], 4),
            let date = GregorianDay(year: year, month: month + 1, day: day)
        else { return nil }
        var clock = DigitReader(Array(parts[4].utf8))
        guard let hour = clock.number(2), clock.take(":"), let minute = clock.number(2), clock.take(":"), let second = clock.number(2),
            clock.isAtEnd, hour < 24, minute < 60, second <= 60
        else { return nil }
        return Date(timeIntervalSince1970: Double(date.daysSince1970 * 86_400 + hour * 3600 + minute * 60 + second))
    }

    private static func number(_ text: some StringProtocol, _ width: Int) -> Int? {
        var reader = DigitReader(Array(text.utf8))
        guard let number = reader.number(width), reader.isAtEnd else { return nil }
        return number
    }

    private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : String(number) }
    private static let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
}

/// IMF-fixdate (RFC 9110 section 5.6.7), e.g. `Sun, 06 Nov 1994 08:49:37 GMT`.
package enum HTTPDate {
    package static func text(_ date: Date) -> String { MessageDate.text(date, zone: "GMT") }

    /// Nil for the obsolete forms too. The weekday is not compared with the date; a second of 60 counts as the next minute's first.
    package static func date(_ text: some StringProtocol) -> Date? { MessageDate.date(text, zone: "GMT") }
}

/// The date-time of RFC 5322 section 3.3, in UTC and English, e.g. `Sun, 06 Nov 1994 08:49:37 +0000`.
package enum MailDate {
    package static func text(_ date: Date) -> String { MessageDate.text(date, zone: "+0000") }
}

/// `Retry-After` (RFC 9110 section 10.2.3): seconds, or a date.
package enum RetryAfter {
    /// A day: a later time is a server's mistake.
    package static let longest = 86_400.0

    /// - Returns: seconds from `now`; nil for a field that cannot be read.
    package static func seconds(_ field: String, at now: Date) -> Double? {
        let text = field.split(separator: " ", omittingEmptySubsequences: true).joined(separator: " ")
        // Some servers write fractions.
        let wait = Double(text) ?? HTTPDate.date(text).map { $0.timeIntervalSince(now) }
        guard let wait, wait.isFinite else { return nil }
        return min(longest, max(0, wait))
    }
}
