/// RFC 2045 section 6.7: text as lines of at most 76 ASCII characters.
enum QuotedPrintable {
    static let longestLine = 76

    /// CR, LF and CRLF all end a line; the caller adds the last line's end. NUL and other control characters except TAB become
    /// U+FFFD: no mail program shows them and some stop reading there.
    static func lines(_ text: String) -> [String] {
        logicalLines(text).flatMap(encode)
    }

    private static func logicalLines(_ text: String) -> [[UInt8]] {
        var lines: [[UInt8]] = [[]]
        var afterReturn = false
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\r": lines.append([])
            case "\n": if !afterReturn { lines.append([]) }
            case "\t": lines[lines.count - 1].append(0x09)
            case "\u{0}"..<" ", "\u{7F}": lines[lines.count - 1] += [0xEF, 0xBF, 0xBD]
            default: lines[lines.count - 1] += Array(UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
            }
            afterReturn = scalar == "\r"
        }
        if lines.count > 1, lines.last?.isEmpty == true { lines.removeLast() }
        return lines
    }

    private static func encode(_ line: [UInt8]) -> [String] {
        var encoded: [String] = []
        var current = ""
        for (index, byte) in line.enumerated() {
            let isLast = index == line.count - 1
            let piece = encode(byte, startsLine: current.isEmpty, endsLine: isLast, line)
            // One column stays free for the soft line break, which the last piece of a line does not need.
            if current.utf8.count + piece.utf8.count > (isLast ? longestLine : longestLine - 1) {
                encoded.append(current + "=")
                current = encode(byte, startsLine: true, endsLine: isLast, line)
            } else {
                current += piece
            }
        }
        encoded.append(current)
        return encoded
    }

    private static func encode(_ byte: UInt8, startsLine: Bool, endsLine: Bool, _ line: [UInt8]) -> String {
        switch byte {
        case UInt8(ascii: "="): return hex(byte)
        case 0x09, 0x20: return endsLine ? hex(byte) : String(UnicodeScalar(byte))
        // A leading dot ends a message in SMTP, a leading "From " begins one in an mbox file.
        case UInt8(ascii: ".") where startsLine: return hex(byte)
        case UInt8(ascii: "F") where startsLine && line.starts(with: Array("From ".utf8)): return hex(byte)
        case 0x21...0x7E: return String(UnicodeScalar(byte))
        default: return hex(byte)
        }
    }

    private static func hex(_ byte: UInt8) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        return "=" + String(UnicodeScalar(digits[Int(byte >> 4)])) + String(UnicodeScalar(digits[Int(byte & 15)]))
    }
}
