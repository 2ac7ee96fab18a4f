/// Characters that must be escaped in a JSON string (RFC 8259 section 7), and U+2028 and U+2029, line ends in JavaScript before ES2019.
enum JSONEscapes {
    /// Control characters, quote, backslash and 0x7F; and 0xE2, which starts U+2028 and U+2029.
    /// No branch per byte, so that the compiler vectorises the loop: most texts need no escape.
    static func areNeeded(in bytes: Span<UInt8>) -> Bool {
        var found: UInt8 = 0
        for index in bytes.indices {
            let byte = bytes[index]
            found |=
                (byte < 0x20 ? 1 : 0) | (byte == 0x22 ? 1 : 0) | (byte == 0x5C ? 1 : 0) | (byte == 0x7F ? 1 : 0) | (byte == 0xE2 ? 1 : 0)
        }
        return found != 0
    }

    /// Runs that need no escape are copied whole.
    static func append(_ text: String, to out: inout [UInt8]) {
        let source = Array(text.utf8)
        var start = 0
        var at = 0
        while at < source.count {
            let byte = source[at]
            guard byte < 0x20 || byte == 0x22 || byte == 0x5C || byte == 0x7F || byte == 0xE2, let escape = escape(source, at) else {
                at += 1
                continue
            }
            out.append(contentsOf: source[start..<at])
            out.append(contentsOf: escape.text.utf8)
            at += escape.length
            start = at
        }
        out.append(contentsOf: source[start...])
    }

    /// The escape for the character at `at`, and how many bytes that character has.
    private static func escape(_ source: [UInt8], _ at: Int) -> (text: String, length: Int)? {
        let byte = source[at]
        switch byte {
        case UInt8(ascii: "\""): return (#"\""#, 1)
        case UInt8(ascii: "\\"): return (#"\\"#, 1)
        case UInt8(ascii: "\n"): return (#"\n"#, 1)
        case UInt8(ascii: "\r"): return (#"\r"#, 1)
        case UInt8(ascii: "\t"): return (#"\t"#, 1)
        case 0..<0x20, 0x7F: return (#"\u00"# + Hex.encode([byte]), 1)
        case 0xE2 where at + 2 < source.count && source[at + 1] == 0x80 && source[at + 2] & 0xFE == 0xA8:
            return (source[at + 2] == 0xA8 ? #"\u2028"# : #"\u2029"#, 3)
        default: return nil
        }
    }
}
