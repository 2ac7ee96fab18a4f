/// The header of a part of a form.
package struct MultipartHead: Sendable, Equatable {
    /// Of the form's field.
    package let name: String
    /// As the client says it, maybe a whole path; nil for a field that is no file.
    package let filename: String?
    /// As the client says it.
    package let contentType: String?

    package init(name: String, filename: String? = nil, contentType: String? = nil) {
        self.name = name
        self.filename = filename
        self.contentType = contentType
    }

    /// - Parameter block: lines, each behind its CR and LF.
    init(_ block: ArraySlice<UInt8>) throws(MultipartReader.Fault) {
        var fields: [(name: String, value: String)] = []
        for line in try Self.lines(block) {
            // A line that begins with a blank goes on with the field before it (RFC 5322 section 2.2.3).
            if let first = line.first, first == 0x20 || first == 0x09 {
                guard let last = fields.indices.last else { throw .header }
                fields[last].value += " " + HeaderWords.trimmed(String(decoding: line, as: UTF8.self))
                continue
            }
            guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > line.startIndex, HeaderWords.isToken(line[..<colon]) else {
                throw .header
            }
            let value = String(decoding: line[line.index(after: colon)...], as: UTF8.self)
            fields.append((String(decoding: line[..<colon], as: UTF8.self).lowercased(), HeaderWords.trimmed(value)))
        }
        let encoding = try Self.value("content-transfer-encoding", of: fields)?.lowercased() ?? "binary"
        guard ["binary", "8bit", "7bit"].contains(encoding) else { throw .encoding }
        guard let field = try Self.value("content-disposition", of: fields), let disposition = HeaderWords(field),
            disposition.value == "form-data", let name = disposition["name"]
        else { throw .header }
        self.name = name
        // RFC 7578 section 4.2 does without the first form, and clients send it.
        filename = disposition["filename*"].flatMap { HeaderWords.extended($0) } ?? disposition["filename"]
        contentType = try Self.value("content-type", of: fields)
    }

    /// nil when there is none of this name.
    private static func value(
        _ name: String, of fields: [(name: String, value: String)]
    ) throws(MultipartReader.Fault) -> String? {
        let values = fields.filter { $0.name == name }
        guard values.count <= 1 else { throw .header }
        return values.first?.value
    }

    private static func lines(_ block: ArraySlice<UInt8>) throws(MultipartReader.Fault) -> [ArraySlice<UInt8>] {
        var lines: [ArraySlice<UInt8>] = []
        var rest = block
        while !rest.isEmpty {
            guard rest.popFirst() == 0x0D, rest.popFirst() == 0x0A else { throw .header }
            let line = rest.prefix { $0 != 0x0D }
            guard line.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }) else { throw .header }
            rest = rest.dropFirst(line.count)
            lines.append(line)
        }
        return lines
    }
}

/// The value of a header field, with parameters: `form-data; name="file"`, `multipart/form-data; boundary=x`.
package struct HeaderWords: Sendable {
    /// In lower case.
    package let value: String
    private var parameters: [(name: String, value: String)] = []

    /// nil for a parameter that comes twice, has no value or is not closed.
    package init?(_ text: String) {
        var rest = Array(text.utf8)[...]
        let first = rest.prefix { $0 != UInt8(ascii: ";") }
        value = Self.trimmed(String(decoding: first, as: UTF8.self)).lowercased()
        rest = rest.dropFirst(first.count)
        while !rest.isEmpty {
            // The semicolon, which may also be the last.
            rest.removeFirst()
            let name = rest.prefix { $0 != UInt8(ascii: "=") && $0 != UInt8(ascii: ";") }
            rest = rest.dropFirst(name.count)
            let word = Self.trimmed(String(decoding: name, as: UTF8.self)).lowercased()
            if word.isEmpty, rest.first != UInt8(ascii: "=") { continue }
            guard rest.popFirst() == UInt8(ascii: "="), Self.isToken(Array(word.utf8)[...]), self[word] == nil,
                let found = Self.parameter(&rest)
            else { return nil }
            parameters.append((word, found))
        }
    }

    package subscript(_ name: String) -> String? { parameters.first { $0.name == name }?.value }

    /// A token or a quoted string, and the blanks behind it. A backslash counts before a quote and before another one; in a path of Windows it
    /// stands for itself.
    private static func parameter(_ rest: inout ArraySlice<UInt8>) -> String? {
        let (quote, slash) = (UInt8(ascii: "\""), UInt8(ascii: "\\"))
        rest = rest.drop { $0 == 0x20 || $0 == 0x09 }
        guard rest.first == quote else {
            let word = rest.prefix { $0 != UInt8(ascii: ";") }
            rest = rest.dropFirst(word.count)
            return trimmed(String(decoding: word, as: UTF8.self))
        }
        rest.removeFirst()
        var text: [UInt8] = []
        while let byte = rest.popFirst() {
            if byte == quote {
                rest = rest.drop { $0 == 0x20 || $0 == 0x09 }
                return rest.isEmpty || rest.first == UInt8(ascii: ";") ? String(decoding: text, as: UTF8.self) : nil
            }
            if byte == slash, let next = rest.first, next == quote || next == slash {
                text.append(next)
                rest.removeFirst()
            } else {
                text.append(byte)
            }
        }
        return nil
    }

    /// `UTF-8''` and percent-encoded bytes (RFC 8187); nil for another form.
    package static func extended(_ text: String) -> String? {
        let parts = text.split(separator: "'", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0].lowercased() == "utf-8" else { return nil }
        return PercentEncoding.decodeText(parts[2])
    }

    /// RFC 9110 section 5.6.2.
    static func isToken(_ bytes: ArraySlice<UInt8>) -> Bool {
        !bytes.isEmpty
            && bytes.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"):
                    true
                default: marks.contains(byte)
                }
            }
    }

    private static let marks = Array("!#$%&'*+-.^_`|~".utf8)

    static func trimmed(_ text: String) -> String {
        var text = text[...]
        while text.first == " " || text.first == "\t" { text.removeFirst() }
        while text.last == " " || text.last == "\t" { text.removeLast() }
        return String(text)
    }
}
