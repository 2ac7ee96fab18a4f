/// Text in HTML, whatever is in it.
enum HTMLText {
    /// For content and for quoted attributes. Control characters and noncharacters, which are errors in HTML, become U+FFFD.
    static func escaped(_ text: String) -> String {
        let (bytes, scalars) = (text.utf8, text.unicodeScalars)
        guard var index = bytes.firstIndex(where: needsLook) else { return text }
        var out = ""
        out.reserveCapacity(bytes.count + bytes.count / 8)
        var start = bytes.startIndex
        while index < bytes.endIndex {
            guard needsLook(bytes[index]) else {
                bytes.formIndex(after: &index)
                continue
            }
            let next = scalars.index(after: index)
            let isBeforeLineFeed = next < scalars.endIndex && scalars[next] == "\n"
            if let other = replacement(scalars[index], isBeforeLineFeed: isBeforeLineFeed) {
                out += text[start..<index]
                out += other
                start = next
            }
            index = next
        }
        out += text[start...]
        return out
    }

    /// nil for a character that stays.
    private static func replacement(_ scalar: Unicode.Scalar, isBeforeLineFeed: Bool) -> String? {
        switch scalar {
        case "&": "&amp;"
        case "<": "&lt;"
        case ">": "&gt;"
        case "\"": "&quot;"
        case "'": "&#39;"
        case "\r": isBeforeLineFeed ? "" : "\n"
        default: isAllowed(scalar) ? nil : "\u{FFFD}"
        }
    }

    /// Whether the byte begins a character that is escaped or that `isAllowed` may refuse: controls, and what may be a C1 control or a noncharacter.
    private static func needsLook(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "\t"), UInt8(ascii: "\n"): false
        case 0..<0x20, 0x7F, 0xC2, 0xEF...: true
        case UInt8(ascii: "&"), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\""), UInt8(ascii: "'"): true
        default: false
        }
    }

    /// Whether the input stream may have it (HTML Living Standard, 13.2.3.5).
    private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x09, 0x0A: true
        case 0..<0x20, 0x7F..<0xA0, 0xFDD0...0xFDEF: false
        default: scalar.value & 0xFFFE != 0xFFFE
        }
    }
}
