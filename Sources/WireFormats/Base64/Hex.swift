/// Base 16 (RFC 4648 section 8).
package enum Hex {
    /// Lower case.
    package static func encode(_ bytes: [UInt8]) -> String {
        let digits = [UInt8](capacity: bytes.count * 2) { target in
            for byte in bytes {
                target.append(digit(byte >> 4))
                target.append(digit(byte & 0x0f))
            }
        }
        return String(decoding: digits, as: UTF8.self)
    }

    /// Takes both cases; nil for an odd length or any other character.
    package static func decode(_ text: String) -> [UInt8]? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count / 2)
        var high: UInt8?
        for character in text.utf8 {
            guard let value = value(of: character) else { return nil }
            if let upper = high {
                bytes.append(upper << 4 | value)
                high = nil
            } else {
                high = value
            }
        }
        return high == nil ? bytes : nil
    }

    private static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
    }

    /// The value of one digit, in either case.
    static func value(of character: UInt8) -> UInt8? {
        switch character {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): character - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): character - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): character - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
