/// Text of programs that do not always write UTF-8.
package enum UTF8Text {
    /// Without a byte order mark; each byte that is not part of UTF-8 as the character that Windows-1252 has there.
    package static func repaired(_ bytes: [UInt8]) -> [UInt8] {
        let bytes = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
        guard String(validating: bytes, as: UTF8.self) == nil else { return bytes }
        var repaired: [UInt8] = []
        repaired.reserveCapacity(bytes.count + bytes.count / 8)
        var position = 0
        while position < bytes.count {
            let length = sequence(bytes, at: position)
            if length > 0 {
                repaired += bytes[position..<position + length]
                position += length
            } else {
                let byte = bytes[position]
                let scalar = (0x80...0x9F).contains(byte) ? windows1252[Int(byte) - 0x80] : UInt32(byte)
                repaired += String(Character(Unicode.Scalar(scalar) ?? "\u{FFFD}")).utf8
                position += 1
            }
        }
        return repaired
    }

    /// Bytes of the whole sequence that begins at the position; 0 for none.
    private static func sequence(_ bytes: [UInt8], at position: Int) -> Int {
        let length =
            switch bytes[position] {
            case 0..<0x80: 1
            case 0xC2...0xDF: 2
            case 0xE0...0xEF: 3
            case 0xF0...0xF4: 4
            default: 0
            }
        guard length > 1 else { return length }
        guard position + length <= bytes.count,
            String(validating: Array(bytes[position..<position + length]), as: UTF8.self) != nil
        else { return 0 }
        return length
    }

    /// Of the bytes 0x80 to 0x9F (encoding.spec.whatwg.org, index-windows-1252).
    private static let windows1252: [UInt32] = [
        0x20AC, 0xFFFD, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0xFFFD, 0x017D, 0xFFFD,
        0xFFFD, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0xFFFD, 0x017E, 0x0178,
    ]
}
