package import FoundationEssentials

/// IMF-fixdate (RFC 9110 section 5.6.7), e.g. `Sun, 06 Nov 1994 08:49:37 GMT`.
package enum HTTPDate {
    package static func text(_ date: Date) -> String {
        let total = Int64(min(max(date.timeIntervalSince1970, -62_135_596_800), 253_402_300_799).rounded(.down))
        let days = RFC3339.floorDivide(total, 86_400)
        let rest = RFC3339.floorRemainder(total, 86_400)
        let (year, month, day) = RFC3339.civil(days)
        let weekday = weekdays[Int(RFC3339.floorRemainder(days + 4, 7))]
        let clock = "\(two(rest / 3600)):\(two(rest / 60 % 60)):\(two(rest % 60))"
        return "\(weekday), \(two(day)) \(months[Int(month - 1)]) \(two(year / 100))\(two(year % 100)) \(clock) GMT"
    }

    private static func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : String(number) }
    private static let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
}
