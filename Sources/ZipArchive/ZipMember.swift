package import FoundationEssentials

/// One file of an archive.
package struct ZipMember: Sendable {
    package enum Method: Sendable {
        /// Uncompressed: for content that is compressed already (audio).
        case stored
        case deflated
        /// Deflated already (`Deflater`): the source returns so many bytes, which have this CRC-32 when they are unpacked.
        case packed(size: Int64, crc32: UInt32)
    }

    /// Relative, `/` between folders, UTF-8.
    package let path: String
    package let modified: ZipTimestamp
    package let method: Method
    /// Uncompressed bytes. The source must return exactly this many, unless they are packed.
    package let length: Int64
    package let source: any ZipMemberSource

    package init(path: String, modified: ZipTimestamp, method: Method, length: Int64, source: any ZipMemberSource) {
        self.path = path
        self.modified = modified
        self.method = method
        self.length = length
        self.source = source
    }

    /// Bytes that the source returns.
    var sourceLength: Int64 {
        if case .packed(let size, _) = method { size } else { length }
    }

    /// The time is written as UTC: a ZIP timestamp has no zone.
    package init(path: String, modified: Date, method: Method, length: Int64, source: any ZipMemberSource) {
        self.init(path: path, modified: ZipTimestamp(utc: modified), method: method, length: length, source: source)
    }
}

/// Supplies one member's bytes when the archive is written. All three calls come from the archive's thread, one member
/// after the other in the order they were added, so they may block; they never run on Swift's cooperative pool.
package protocol ZipMemberSource: AnyObject, Sendable {
    /// Called once, before the first `read`. If it throws, `close` is not called.
    func open() throws
    /// Up to `max` bytes; empty means the end. After the stated length one more call must return no bytes.
    func read(max: Int) throws -> [UInt8]
    /// Called once after a successful `open`, also when reading failed or was cancelled.
    func close()
}

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
