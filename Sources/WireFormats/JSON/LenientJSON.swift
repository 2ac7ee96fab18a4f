/// Reads what speech servers, language models, phones' exports and providers' reports write as JSON, as well as it can be read: a flaw costs
/// the value it is in, and no more. What clients send is read by `JSONParser`.
///
/// - `NaN`, `Infinity` and other words and numbers that JSON has not are null; Python's `True`, `False` and `None` are what they mean.
/// - Bytes that are no UTF-8 are read as Windows-1252; half a surrogate pair is U+FFFD; control characters and unknown escapes are themselves.
/// - Commas may be missing between lines, or too many, names and texts may stand in single quotes, and a quote inside a text may lack its escape.
/// - Of members with the same name the last counts that is not null.
/// - A document that is cut off ends where it was cut.
package struct LenientJSON {
    private let bytes: [UInt8]
    private var position: Int
    /// The document ended inside a value.
    private var isCut = false

    /// Objects and arrays inside one another; what is deeper is null.
    private static let maximumDepth = 64
    /// Objects in a text that do not end: behind the brace of each may be another one.
    private static let mostCut = 8

    private init(_ bytes: [UInt8], at position: Int = 0) {
        self.bytes = bytes
        self.position = position
    }

    /// The first value; what follows it is not read. Nil when there is none.
    package static func value(_ bytes: [UInt8]) -> JSONValue? { document(bytes)?.value }

    /// - Returns: and whether it is whole.
    package static func document(_ bytes: [UInt8]) -> (value: JSONValue, isWhole: Bool)? {
        var reader = LenientJSON(UTF8Text.repaired(bytes))
        reader.skip()
        return reader.value(depth: 0).map { ($0, !reader.isCut) }
    }

    /// The objects in a text that has other words around them, in order, with whether each is whole.
    package static func objects(in text: String) -> [(object: JSONObject, isWhole: Bool)] {
        let bytes = Array(text.utf8)
        var objects: [(JSONObject, Bool)] = []
        var (position, cut) = (0, 0)
        while let start = bytes[position...].firstIndex(of: UInt8(ascii: "{")) {
            var reader = LenientJSON(bytes, at: start)
            if let object = reader.value(depth: 0)?.object, !object.isEmpty { objects.append((object, !reader.isCut)) }
            cut += reader.isCut ? 1 : 0
            position = reader.isCut && cut < mostCut ? start + 1 : reader.position
        }
        return objects
    }

    private var peek: UInt8? { position < bytes.count ? bytes[position] : nil }

    /// White space, and commas and colons where none is expected.
    private mutating func skip(_ others: [UInt8] = []) {
        while let byte = peek, byte <= 0x20 || others.contains(byte) { position += 1 }
    }

    private mutating func value(depth: Int) -> JSONValue? {
        switch peek {
        case UInt8(ascii: "{"): return depth < Self.maximumDepth ? .object(object(depth: depth + 1)) : passed()
        case UInt8(ascii: "["): return depth < Self.maximumDepth ? .array(array(depth: depth + 1)) : passed()
        case UInt8(ascii: "\""), UInt8(ascii: "'"): return .string(string())
        case nil: return nil
        default: return word()
        }
    }

    /// Past all that is too deep: to the document's end.
    private mutating func passed() -> JSONValue {
        (position, isCut) = (bytes.count, true)
        return .null
    }

    private mutating func object(depth: Int) -> JSONObject {
        position += 1
        var object = JSONObject()
        while true {
            skip([UInt8(ascii: ",")])
            guard let byte = peek else {
                isCut = true
                return object
            }
            if byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]") {
                position += 1
                return object
            }
            let name = byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") ? string() : token()
            skip()
            guard peek == UInt8(ascii: ":") else {
                // No member: what follows may be one.
                if name.isEmpty, peek != nil { position += 1 }
                continue
            }
            position += 1
            skip()
            guard let value = value(depth: depth) else {
                isCut = true
                return object
            }
            if value != .null || object[name] == nil { object.set(name, value) }
        }
    }

    private mutating func array(depth: Int) -> [JSONValue] {
        position += 1
        var elements: [JSONValue] = []
        while true {
            skip([UInt8(ascii: ","), UInt8(ascii: ":")])
            guard let byte = peek else {
                isCut = true
                return elements
            }
            if byte == UInt8(ascii: "]") || byte == UInt8(ascii: "}") {
                position += 1
                return elements
            }
            guard let value = value(depth: depth) else { return elements }
            elements.append(value)
        }
    }

    /// Up to the next sign of JSON.
    private mutating func token() -> String {
        let start = position
        let signs = Array("{}[],:\"'".utf8)
        while let byte = peek, byte > 0x20, !signs.contains(byte) { position += 1 }
        return String(decoding: bytes[start..<position], as: UTF8.self)
    }

    private mutating func word() -> JSONValue {
        let word = token()
        if word.isEmpty, peek != UInt8(ascii: "}"), peek != UInt8(ascii: "]") { position += 1 }
        return Self.value(of: word) ?? .null
    }

    /// - Returns: nil for a word that no program writes.
    private static func value(of word: String) -> JSONValue? {
        switch word.lowercased() {
        case "true": return .bool(true)
        case "false": return .bool(false)
        case "null", "none", "nil", "undefined", "nan", "-nan", "infinity", "-infinity", "+infinity", "inf", "-inf": return .null
        default: break
        }
        // A number of any spelling.
        guard word.utf8.count <= 64, word.utf8.allSatisfy({ ($0 >= 0x30 && $0 <= 0x39) || "+-.eE".utf8.contains($0) }),
            let number = Double(word)
        else { return nil }
        return number.isFinite ? .number(word) : .null
    }

    private mutating func string() -> String {
        let quote = bytes[position]
        position += 1
        var text: [UInt8] = []
        while let byte = peek {
            position += 1
            switch byte {
            case quote where isEnd: return String(decoding: text, as: UTF8.self)
            case UInt8(ascii: "\\"): escape(into: &text)
            default: text.append(byte)
            }
        }
        isCut = true
        return String(decoding: text, as: UTF8.self)
    }

    /// Whether what follows a quote is what follows a text, and not the rest of it.
    private var isEnd: Bool {
        var reader = self
        reader.skip()
        switch reader.peek {
        case nil, UInt8(ascii: "}"), UInt8(ascii: "]"), UInt8(ascii: ":"): return true
        case UInt8(ascii: ","):
            reader.position += 1
            reader.skip()
            guard let next = reader.peek, !Array("\"'{}[],".utf8).contains(next) else { return true }
            return Self.value(of: reader.token()) != nil
        case UInt8(ascii: "\""), UInt8(ascii: "'"): return bytes[position..<reader.position].contains(0x0A)
        default: return false
        }
    }

    private mutating func escape(into text: inout [UInt8]) {
        guard let byte = peek else { return }
        position += 1
        switch byte {
        case UInt8(ascii: "b"): text.append(0x08)
        case UInt8(ascii: "f"): text.append(0x0C)
        case UInt8(ascii: "n"): text.append(0x0A)
        case UInt8(ascii: "r"): text.append(0x0D)
        case UInt8(ascii: "t"): text.append(0x09)
        case UInt8(ascii: "u"): text.append(contentsOf: String(Character(scalar())).utf8)
        default: text.append(byte)
        }
    }

    /// After `\u`. A half that has no other half is U+FFFD.
    private mutating func scalar() -> Unicode.Scalar {
        guard let first = hexadecimal() else { return "\u{FFFD}" }
        if let scalar = Unicode.Scalar(first) { return scalar }
        let behind = position
        if first < 0xDC00, peek == UInt8(ascii: "\\") {
            position += 1
            if peek == UInt8(ascii: "u") {
                position += 1
                if let second = hexadecimal(), (0xDC00...0xDFFF).contains(second),
                    let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
                {
                    return scalar
                }
            }
        }
        position = behind
        return "\u{FFFD}"
    }

    private mutating func hexadecimal() -> UInt32? {
        guard position + 4 <= bytes.count else { return nil }
        var value: UInt32 = 0
        for byte in bytes[position..<position + 4] {
            guard let digit = Hex.value(of: byte) else { return nil }
            value = value << 4 | UInt32(digit)
        }
        position += 4
        return value
    }
}
