import FoundationEssentials

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

    private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : String(number) }
    private static let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
}
