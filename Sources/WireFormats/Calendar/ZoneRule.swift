/// The rule of a zone for times after the last change that its file lists: the `TZ` variable of POSIX (IEEE Std 1003.1, section 8.3), with
/// the hours of -167 to 167 that RFC 8536 section 3.3.1 adds. `CET-1CEST,M3.5.0,M10.5.0/3`.
struct ZoneRule: Sendable, Equatable {
    /// When a change happens in a year.
    struct Change: Sendable, Equatable {
        enum Day: Sendable, Equatable {
            /// 1 … 365; the 29th of February is never counted.
            case julian(Int)
            /// 0 … 365, leap days counted.
            case ordinal(Int)
            /// The `week`th (5: last) `weekday` (0: Sunday) of a month.
            case weekday(month: Int, week: Int, weekday: Int)
        }

        let day: Day
        /// Seconds after midnight, by the clock before the change.
        let seconds: Int
    }

    /// Seconds east of UTC.
    let standard: Int
    let summer: Int?
    let begins: Change?
    let ends: Change?

    init?(_ text: some StringProtocol) {
        var reader = Reader(Array(text.utf8))
        guard reader.name(), let west = reader.time() else { return nil }
        standard = -west
        if reader.isAtEnd {
            (summer, begins, ends) = (nil, nil, nil)
            return
        }
        guard reader.name() else { return nil }
        var summer = standard + 3600
        if !reader.take(","), !reader.isAtEnd {
            guard let west = reader.time(), reader.take(",") else { return nil }
            summer = -west
        }
        guard let begins = reader.change(), reader.take(","), let ends = reader.change(), reader.isAtEnd else { return nil }
        (self.summer, self.begins, self.ends) = (summer, begins, ends)
    }

    /// Seconds east of UTC at a time.
    /// - Parameter time: seconds since 1970.
    func offset(at time: Int) -> Int {
        guard let summer, let begins, let ends else { return standard }
        let year = GregorianDay(daysSince1970: (time + standard).flooredDivision(by: 86_400).quotient).year
        let (first, last) = (begins.start(year) - standard, ends.start(year) - summer)
        // South of the equator summer goes over the turn of the year.
        let isSummer = first < last ? (first..<last).contains(time) : !(last..<first).contains(time)
        return isSummer ? summer : standard
    }
}

extension ZoneRule {
    /// Seconds since 1970 at which an offset begins, in the order of time.
    /// - Parameter years: of the wall clock.
    func changes(in years: ClosedRange<Int>) -> [Int] {
        guard let summer, let begins, let ends else { return [] }
        return years.flatMap { [begins.start($0) - standard, ends.start($0) - summer] }.sorted()
    }
}

extension ZoneRule.Change {
    /// Seconds since 1970 of the wall clock that is put on or back.
    fileprivate func start(_ year: Int) -> Int {
        let first = Self.days(year, 1, 1)
        let isLeap = Self.days(year + 1, 1, 1) - first == 366
        let number =
            switch day {
            case .julian(let number): first + number - 1 + (isLeap && number > 59 ? 1 : 0)
            case .ordinal(let number): first + number
            case .weekday(let month, let week, let weekday):
                Self.day(year, month, week, weekday)
            }
        return number * 86_400 + seconds
    }

    private static func day(_ year: Int, _ month: Int, _ week: Int, _ weekday: Int) -> Int {
        let first = days(year, month, 1)
        let next = month == 12 ? days(year + 1, 1, 1) : days(year, month + 1, 1)
        let earliest = first + (weekday - GregorianDay(daysSince1970: first).weekday + 7) % 7
        let wanted = earliest + (week - 1) * 7
        // Week 5 of a month with four such days is the fourth.
        return wanted < next ? wanted : wanted - 7
    }

    /// Days since 1970; years outside the calendar's are the nearest.
    private static func days(_ year: Int, _ month: Int, _ day: Int) -> Int {
        GregorianDay(year: min(max(year, 0), 9999), month: month, day: day)?.daysSince1970 ?? 0
    }
}

private struct Reader {
    private var bytes: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) { self.bytes = bytes[...] }

    var isAtEnd: Bool { bytes.isEmpty }

    mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard bytes.first == UInt8(ascii: character) else { return false }
        bytes.removeFirst()
        return true
    }

    /// Letters, or anything but `>` in angle brackets.
    mutating func name() -> Bool {
        if take("<") {
            bytes = bytes.drop { $0 != UInt8(ascii: ">") }
            return take(">")
        }
        let letters = bytes.prefix { ($0 | 0x20) >= UInt8(ascii: "a") && ($0 | 0x20) <= UInt8(ascii: "z") }
        bytes = bytes.dropFirst(letters.count)
        return letters.count >= 3
    }

    /// `[+-]hh[:mm[:ss]]` in seconds.
    mutating func time() -> Int? {
        let sign = take("-") ? -1 : 1
        if sign > 0 { _ = take("+") }
        guard let hours = number(max: 167) else { return nil }
        var seconds = hours * 3600
        if take(":") {
            guard let minutes = number(max: 59) else { return nil }
            seconds += minutes * 60
            if take(":") {
                guard let rest = number(max: 59) else { return nil }
                seconds += rest
            }
        }
        return sign * seconds
    }

    mutating func change() -> ZoneRule.Change? {
        let day: ZoneRule.Change.Day
        if take("M") {
            guard let month = number(max: 12), month > 0, take("."), let week = number(max: 5), week > 0, take("."),
                let weekday = number(max: 6)
            else { return nil }
            day = .weekday(month: month, week: week, weekday: weekday)
        } else if take("J") {
            guard let number = number(max: 365), number > 0 else { return nil }
            day = .julian(number)
        } else {
            guard let number = number(max: 365) else { return nil }
            day = .ordinal(number)
        }
        guard take("/") else { return ZoneRule.Change(day: day, seconds: 7200) }
        return time().map { ZoneRule.Change(day: day, seconds: $0) }
    }

    /// At most three digits.
    private mutating func number(max: Int) -> Int? {
        let digits = bytes.prefix(4).prefix { $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }
        guard (1...3).contains(digits.count) else { return nil }
        bytes = bytes.dropFirst(digits.count)
        let number = digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
        return number <= max ? number : nil
    }
}
