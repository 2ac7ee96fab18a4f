import FoundationEssentials

/// The date-time of RFC 5322 section 3.3, in UTC and English.
enum MailDate {
    private static let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    static func text(_ date: Date) -> String {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        let fields = calendar.dateComponents([.year, .month, .day, .weekday, .hour, .minute, .second], from: date)
        func padded(_ value: Int?, _ width: Int) -> String {
            let digits = String(max(value ?? 0, 0))
            return String(repeating: "0", count: max(width - digits.count, 0)) + digits
        }
        let day = days[min(max((fields.weekday ?? 1) - 1, 0), 6)]
        let month = months[min(max((fields.month ?? 1) - 1, 0), 11)]
        let time = "\(padded(fields.hour, 2)):\(padded(fields.minute, 2)):\(padded(fields.second, 2))"
        return "\(day), \(padded(fields.day, 2)) \(month) \(padded(fields.year, 4)) \(time) +0000"
    }
}
