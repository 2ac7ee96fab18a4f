import FoundationEssentials

/// The driver's bytes, taken from the front.
struct FuzzBytes {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) { rest = bytes[...] }

    var isEmpty: Bool { rest.isEmpty }

    /// 0 when nothing is left.
    mutating func byte() -> UInt8 { rest.popFirst() ?? 0 }

    /// 0 to `count - 1`. Seeds are text: "0" is choice 0 of 2, 3, 4, 6, 8.
    mutating func choice(_ count: Int) -> Int { Int(byte()) % count }

    mutating func flag() -> Bool { byte() & 1 == 1 }

    mutating func number() -> UInt64 { (0..<8).reduce(0) { sum, _ in sum << 8 | UInt64(byte()) } }

    mutating func int64() -> Int64 { Int64(bitPattern: number()) }

    mutating func number(in range: ClosedRange<Int64>) -> Int64 {
        range.lowerBound + Int64(number() % (UInt64(range.upperBound - range.lowerBound) + 1))
    }

    mutating func take(_ count: Int) -> [UInt8] {
        let taken = Array(rest.prefix(count))
        rest = rest.dropFirst(count)
        return taken
    }

    /// A length byte, then so many.
    mutating func piece() -> [UInt8] { take(Int(byte())) }

    mutating func all() -> [UInt8] { take(rest.count) }

    mutating func text() -> String { String(decoding: all(), as: UTF8.self) }

    mutating func shortText() -> String { String(decoding: piece(), as: UTF8.self) }

    mutating func uuid() -> UUID {
        let high = number()
        let low = number()
        let bytes = (0..<16).map { UInt8(truncatingIfNeeded: ($0 < 8 ? high : low) >> UInt64(56 - $0 % 8 * 8)) }
        return UUID(
            uuid: (
                bytes[0], bytes[1], bytes[2], bytes[3], bytes[4], bytes[5], bytes[6], bytes[7], bytes[8], bytes[9], bytes[10], bytes[11],
                bytes[12], bytes[13], bytes[14], bytes[15]
            ))
    }

    /// The same with one to four places changed, cut out or filled in; sometimes the same after all.
    mutating func edited(_ bytes: [UInt8]) -> [UInt8] {
        var bytes = bytes
        for _ in 0...choice(4) {
            let at = Int(number() % UInt64(bytes.count + 1))
            switch choice(4) {
            case 0 where at < bytes.count: bytes[at] = byte()
            case 1 where at < bytes.count: bytes[at] ^= 1 << (byte() & 7)
            case 2: bytes.removeSubrange(at..<min(bytes.count, at + Int(byte())))
            default: bytes.insert(contentsOf: take(choice(16)), at: at)
            }
        }
        return bytes
    }

    mutating func edited(_ text: String) -> String { String(decoding: edited(Array(text.utf8)), as: UTF8.self) }
}

extension String {
    var bytes: [UInt8] { Array(utf8) }

    /// Byte by byte: `==` takes canonically equivalent text for the same.
    func isExactly(_ other: String) -> Bool { utf8.elementsEqual(other.utf8) }
}
