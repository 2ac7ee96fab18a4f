/// Why a recurrence rule is refused: a sentence without its subject, `must have FREQ`.
package struct RecurrenceRuleError: Error, Equatable {
    package let reason: String

    init(_ reason: String) { self.reason = reason }
}

extension RecurrenceRule {
    /// Reads the value of an RRULE property, `FREQ=WEEKLY;BYDAY=MO`. Parts that are not in the subset are refused by their names.
    package init(_ text: some StringProtocol) throws(RecurrenceRuleError) {
        guard text.utf8.count <= 500 else { throw RecurrenceRuleError("must have at most 500 characters") }
        var values: [String: Substring] = [:]
        for part in String(text).split(separator: ";", omittingEmptySubsequences: false) {
            let halves = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let first = halves.first, let value = halves.last, halves.count == 2, !value.isEmpty,
                first.utf8.allSatisfy({ ($0 | 0x20) >= UInt8(ascii: "a") && ($0 | 0x20) <= UInt8(ascii: "z") }),
                (1...20).contains(first.utf8.count)
            else { throw RecurrenceRuleError("must be parts of the form NAME=VALUE, separated by semicolons") }
            let name = first.uppercased()
            guard Self.parts.contains(name) else { throw RecurrenceRuleError(Self.refusal(name)) }
            guard values.updateValue(value, forKey: name) == nil else { throw RecurrenceRuleError("has \(name) twice") }
        }
        guard let frequency = values["FREQ"] else { throw RecurrenceRuleError("must have FREQ") }
        guard let known = Frequency(rawValue: frequency.uppercased()) else {
            throw RecurrenceRuleError("must have a FREQ of DAILY, WEEKLY, MONTHLY or YEARLY")
        }
        self.init(known)
        if let value = values["INTERVAL"] {
            interval = try Self.number(value, "INTERVAL", 1...Self.longestInterval)
        }
        months = try Self.numbers(values["BYMONTH"], "BYMONTH") { (1...12).contains($0) }
        monthDays = try Self.numbers(values["BYMONTHDAY"], "BYMONTHDAY") { (1...31).contains($0) || (-31 ... -1).contains($0) }
        weekdays = try Self.weekdays(values["BYDAY"])
        if let value = values["WKST"] { weekStart = try Self.weekday(value, "WKST") }
        end = try Self.end(count: values["COUNT"], until: values["UNTIL"])
        if known == .weekly, !monthDays.isEmpty { throw RecurrenceRuleError("must not have BYMONTHDAY with FREQ=WEEKLY") }
        if known == .daily || known == .weekly, weekdays.contains(where: { $0.number != nil }) {
            throw RecurrenceRuleError("must not have numbers in BYDAY with FREQ=\(known.rawValue)")
        }
    }

    private static let parts: Set = ["FREQ", "INTERVAL", "BYDAY", "BYMONTHDAY", "BYMONTH", "COUNT", "UNTIL", "WKST"]

    private static func refusal(_ name: String) -> String {
        switch name {
        case "BYHOUR", "BYMINUTE", "BYSECOND": "must not have \(name): the time of day is given by hour and minute"
        default: "must not have \(name): the parts are FREQ, INTERVAL, BYDAY, BYMONTHDAY, BYMONTH, COUNT, UNTIL and WKST"
        }
    }

    private static func number(_ text: Substring, _ name: String, _ range: ClosedRange<Int>) throws(RecurrenceRuleError) -> Int {
        guard text.utf8.count <= 4, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(text), range.contains(number)
        else {
            throw RecurrenceRuleError("must have a number from \(range.lowerBound) to \(range.upperBound) for \(name)")
        }
        return number
    }

    /// Sorted, and each once.
    private static func numbers(
        _ text: Substring?, _ name: String, _ isAllowed: (Int) -> Bool
    ) throws(RecurrenceRuleError) -> [Int] {
        guard let text else { return [] }
        var numbers: Set<Int> = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            guard part.utf8.count <= 3, let number = Int(part), isAllowed(number) else {
                throw RecurrenceRuleError("has a number in \(name) that is none of its numbers")
            }
            numbers.insert(number)
        }
        return numbers.sorted()
    }

    private static func weekday(_ text: Substring, _ name: String) throws(RecurrenceRuleError) -> Int {
        guard let day = weekdayNames.firstIndex(of: text.uppercased()) else {
            throw RecurrenceRuleError("has a day in \(name) that is none of SU, MO, TU, WE, TH, FR and SA")
        }
        return day
    }

    private static func weekdays(_ text: Substring?) throws(RecurrenceRuleError) -> [Weekday] {
        guard let text else { return [] }
        var days: Set<Weekday> = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let day = try weekday(part.suffix(2), "BYDAY")
            let number = part.dropLast(2)
            if number.isEmpty {
                days.insert(Weekday(day))
                continue
            }
            guard number.utf8.count <= 3, let number = Int(number), number != 0, (-53...53).contains(number) else {
                throw RecurrenceRuleError("has a number in BYDAY that is none of 1 to 53 and -1 to -53")
            }
            days.insert(Weekday(day, number: number))
        }
        return days.sorted { ($0.number ?? 0, $0.day) < ($1.number ?? 0, $1.day) }
    }

    private static func end(count: Substring?, until: Substring?) throws(RecurrenceRuleError) -> End {
        if let count {
            guard until == nil else { throw RecurrenceRuleError("must not have both COUNT and UNTIL") }
            return .count(try number(count, "COUNT", 1...mostCounted))
        }
        guard let until else { return .never }
        // 20261231, or 20261231T235959Z.
        var reader = DigitReader(Array(until.utf8))
        if let year = reader.number(4), let month = reader.number(2), let day = reader.number(2), year >= 1,
            let day = GregorianDay(year: year, month: month, day: day)
        {
            if reader.isAtEnd { return .day(day) }
            if reader.take("T"), let hour = reader.number(2), let minute = reader.number(2), let second = reader.number(2),
                reader.take("Z"),
                reader.isAtEnd, hour <= 23, minute <= 59, second <= 59
            {
                return .time(day.daysSince1970 * 86_400 + hour * 3600 + minute * 60 + second)
            }
        }
        throw RecurrenceRuleError("must have a day (20261231) or a time in UTC (20261231T235959Z) for UNTIL")
    }
}
