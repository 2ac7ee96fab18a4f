package import FoundationEssentials

/// A wall-clock time as ZIP stores it (APPNOTE 4.4.6, MS-DOS format): no zone, two-second steps, 1980 to 2107.
package struct ZipTimestamp: Sendable, Equatable {
    package let date: UInt16
    package let time: UInt16

    /// Takes date and time as a zip has them.
    package init(date: UInt16, time: UInt16) {
        self.date = date
        self.time = time
    }

    /// Fields outside their range are clamped.
    package init(year: Int, month: Int, day: Int, hour: Int, minute: Int, second: Int) {
        func within(_ value: Int, _ range: ClosedRange<Int>) -> UInt16 {
            UInt16(clamping: min(max(value, range.lowerBound), range.upperBound))
        }
        date = (within(year, 1980...2107) - 1980) << 9 | within(month, 1...12) << 5 | within(day, 1...31)
        time = within(hour, 0...23) << 11 | within(minute, 0...59) << 5 | within(second, 0...59) / 2
    }

    package init(utc instant: Date) {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        let fields = calendar.dateComponents([.year, .month, .day, .hour, .minute, .second], from: instant)
        self.init(
            year: fields.year ?? 1980, month: fields.month ?? 1, day: fields.day ?? 1,
            hour: fields.hour ?? 0, minute: fields.minute ?? 0, second: fields.second ?? 0)
    }
}
