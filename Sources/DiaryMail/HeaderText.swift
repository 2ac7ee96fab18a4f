import DiaryCore
import WireFormats

/// Free text in a header field: unchanged ASCII where that is safe, encoded words (RFC 2047) otherwise.
enum HeaderText {
    /// Bytes of UTF-8. Longer than any subject of this service, and short enough for a header field.
    static let longest = 1000

    /// No line ends, control characters, Unicode line separators or direction changes.
    static func isAllowed(_ text: String) -> Bool {
        text.utf8.count <= longest && OneLineText.accepts(text)
    }

    /// - Parameter after: columns the field's name takes on the first line.
    static func unstructured(_ text: String, after column: Int) -> String {
        isPlain(text, column: column) ? text : encodedWords(text, after: column)
    }

    /// `"name" <address>`; the address alone when the name is empty.
    static func mailbox(name: String, address: MailAddress, after column: Int) -> String {
        if name.isEmpty { return address.text }
        if isPlain(name, column: column) {
            let quoted = name.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
            return "\"\(quoted)\"\r\n <\(address.text)>"
        }
        return encodedWords(name, after: column) + "\r\n <\(address.text)>"
    }

    /// Fits one line, has no space at its ends, and cannot be read as an encoded word.
    private static func isPlain(_ text: String, column: Int) -> Bool {
        let bytes = text.utf8
        guard bytes.allSatisfy({ (0x20...0x7E).contains($0) }), !text.contains("=?") else { return false }
        // Quoting may double a character.
        guard column + 2 * bytes.count + 2 <= 76 || (column + bytes.count + 2 <= 76 && !text.contains("\"") && !text.contains("\\")) else {
            return false
        }
        return bytes.first != 0x20 && bytes.last != 0x20
    }

    /// UTF-8 in base64 words of at most 75 characters, split between characters, one per line (section 2 of RFC 2047).
    private static func encodedWords(_ text: String, after column: Int) -> String {
        let frame = "=?utf-8?B??=".utf8.count
        var words: [String] = []
        var chunk: [UInt8] = []
        var capacity = (76 - max(column, 1) - frame) / 4 * 3
        for scalar in text.unicodeScalars {
            let bytes = Array(UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
            if chunk.count + bytes.count > capacity {
                words.append("=?utf-8?B?\(Base64.encode(chunk))?=")
                chunk = []
                capacity = (75 - frame) / 4 * 3
            }
            chunk += bytes
        }
        if !chunk.isEmpty { words.append("=?utf-8?B?\(Base64.encode(chunk))?=") }
        return words.joined(separator: "\r\n ")
    }
}
