/// A zone's offsets from UTC, from the bytes of its file in the zone database (RFC 8536).
package struct ZoneFile: Sendable {
    /// Seconds since 1970 at which an offset begins, in order.
    private let begins: [Int]
    /// Those offsets, in seconds east of UTC.
    private let offsets: [Int]
    /// Before the first change.
    private let first: Int
    /// After the last change.
    private let rule: ZoneRule?

    /// nil when the bytes are no such file.
    package init?(_ bytes: [UInt8]) {
        var reader = Reader(bytes)
        guard var header = reader.header() else { return nil }
        var width = 4
        if header.version >= 2 {
            // The same again with times of eight bytes, and a rule for what comes after.
            guard reader.skip(header.size(width)), let second = reader.header() else { return nil }
            (header, width) = (second, 8)
        }
        guard header.types > 0, header.size(width) <= bytes.count else { return nil }
        guard let begins = reader.numbers(header.times, width), let indices = reader.numbers(header.times, 1) else { return nil }
        var types: [Int] = []
        for _ in 0..<header.types {
            guard let offset = reader.number(4), reader.skip(2) else { return nil }
            types.append(offset)
        }
        guard reader.skip(header.characters + header.leaps * (width + 4) + header.standards + header.universals) else { return nil }
        let offsets = indices.compactMap { types.indices.contains($0) ? types[$0] : nil }
        guard offsets.count == begins.count, let first = types.first else { return nil }
        (self.begins, self.offsets, self.first) = (begins, offsets, first)
        rule = width == 8 ? reader.footer().flatMap { ZoneRule($0) } : nil
    }

    /// Seconds east of UTC.
    /// - Parameter time: seconds since 1970.
    package func offset(at time: Int) -> Int {
        guard let last = begins.last, time < last else { return rule?.offset(at: time) ?? offsets.last ?? first }
        return begins.lastIndex { $0 <= time }.map { offsets[$0] } ?? first
    }

    /// The first time at which a wall clock of the zone shows `local` or later: of an hour that is repeated the first, and of an hour that is
    /// left out the time at which the clock is put on.
    /// - Parameter local: seconds since 1970-01-01 00:00 of the wall clock, whose year is one of 0001 … 9999.
    package func time(ofLocal local: Int) -> Int {
        // No zone was ever further from UTC; a zone that skips a day does so once.
        let (from, to) = (local - 100_000, local + 100_000)
        var starts = [from] + begins.filter { from < $0 && $0 <= to }
        if let rule {
            let year = GregorianDay(daysSince1970: local.flooredDivision(by: 86_400).quotient).year
            starts += rule.changes(in: (year - 1)...(year + 1)).filter { $0 > max(from, begins.last ?? from) && $0 <= to }
        }
        for (index, start) in starts.enumerated() {
            let time = max(start, local - offset(at: start))
            let end = starts.indices.contains(index + 1) ? starts[index + 1] : .max
            if time < end { return time }
        }
        return local - offset(at: local)
    }
}

private struct Reader {
    private var bytes: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) { self.bytes = bytes[...] }

    struct Header {
        let version: Int
        let universals, standards, leaps, times, types, characters: Int

        /// Bytes of what follows.
        func size(_ width: Int) -> Int {
            times * (width + 1) + types * 6 + characters + leaps * (width + 4) + standards + universals
        }
    }

    mutating func header() -> Header? {
        guard bytes.starts(with: "TZif".utf8), skip(4), let version = bytes.first, skip(16) else { return nil }
        guard let counts = numbers(6, 4), counts.allSatisfy({ (0...1_000_000).contains($0) }) else { return nil }
        return Header(
            // 0, or the digit "2" and later.
            version: version == 0 ? 1 : Int(version) - 0x30, universals: counts[0], standards: counts[1], leaps: counts[2],
            times: counts[3],
            types: counts[4], characters: counts[5])
    }

    mutating func skip(_ count: Int) -> Bool {
        guard bytes.count >= count else { return false }
        bytes = bytes.dropFirst(count)
        return true
    }

    mutating func numbers(_ count: Int, _ width: Int) -> [Int]? {
        guard bytes.count >= count * width else { return nil }
        return (0..<count).compactMap { _ in number(width) }
    }

    /// Big-endian; signed unless it is one byte.
    mutating func number(_ width: Int) -> Int? {
        guard bytes.count >= width else { return nil }
        let value = bytes.prefix(width).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        bytes = bytes.dropFirst(width)
        switch width {
        case 1: return Int(value)
        case 4: return Int(Int32(truncatingIfNeeded: value))
        default: return Int(Int64(bitPattern: value))
        }
    }

    /// Between two line ends.
    mutating func footer() -> String? {
        guard bytes.first == 0x0A, skip(1) else { return nil }
        return String(decoding: bytes.prefix { $0 != 0x0A }, as: UTF8.self)
    }
}
