/// Reads RFC 8259 and nothing beside it: UTF-8 only, no duplicate names, no lone surrogates, no raw control characters, a bounded depth.
///
/// Decision: `JSONDecoder` and `JSONSerialization` keep one of two equal members silently and have a fixed depth, so this parser reads
/// everything that comes from outside (decision 0007).
package struct JSONParser {
    private let bytes: [UInt8]
    private let rules: JSONRules
    private var position = 0

    package static func parse(_ bytes: [UInt8], _ rules: JSONRules = JSONRules()) throws(JSONParsingError) -> JSONValue {
        var parser = JSONParser(bytes: bytes, rules: rules)
        let value = try parser.value(depth: 0)
        parser.skipSpace()
        guard parser.peek == nil else { throw parser.failure("something follows the document") }
        return value
    }

    /// Nil for anything but one object.
    package static func object(_ bytes: [UInt8], _ rules: JSONRules) -> JSONObject? {
        (try? parse(bytes, rules))?.object
    }

    private var peek: UInt8? { position < bytes.count ? bytes[position] : nil }

    private func failure(_ reason: String) -> JSONParsingError { JSONParsingError(reason: reason, offset: position) }

    private mutating func skipSpace() {
        while let byte = peek, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { position += 1 }
    }

    /// Takes `byte` when it comes next.
    private mutating func take(_ byte: UInt8) -> Bool {
        guard peek == byte else { return false }
        position += 1
        return true
    }

    private mutating func value(depth: Int) throws(JSONParsingError) -> JSONValue {
        skipSpace()
        switch peek {
        case UInt8(ascii: "{"): return try object(depth: depth + 1)
        case UInt8(ascii: "["): return try array(depth: depth + 1)
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"): return try word("true", .bool(true))
        case UInt8(ascii: "f"): return try word("false", .bool(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        case .some(UInt8(ascii: "-")), .some(UInt8(ascii: "0")...UInt8(ascii: "9")): return .number(try number())
        case nil: throw failure("the document ends too early")
        default: throw failure("a value is expected")
        }
    }

    private mutating func word(_ word: StaticString, _ value: JSONValue) throws(JSONParsingError) -> JSONValue {
        for byte in String(describing: word).utf8 {
            guard take(byte) else { throw failure("a value is expected") }
        }
        return value
    }

    private mutating func object(depth: Int) throws(JSONParsingError) -> JSONValue {
        guard depth <= rules.maximumDepth else { throw failure("nested too deeply") }
        position += 1
        var object = JSONObject()
        var spellings = EquivalentNames()
        skipSpace()
        if take(UInt8(ascii: "}")) { return .object(object) }
        while true {
            skipSpace()
            guard peek == UInt8(ascii: "\"") else { throw failure("a member name is expected") }
            guard object.count < rules.maximumMembers else { throw failure("the object has too many members") }
            let name = try string(allowsEscapes: rules.allowsEscapedNames)
            skipSpace()
            guard take(UInt8(ascii: ":")) else { throw failure("a colon is expected") }
            let value = try value(depth: depth)
            guard rules.allowsEquivalentNames || spellings.add(name, to: object), object.add(name, value) else {
                throw failure("a member name comes twice")
            }
            skipSpace()
            if take(UInt8(ascii: "}")) { return .object(object) }
            guard take(UInt8(ascii: ",")) else { throw failure("a comma or the object's end is expected") }
        }
    }

    private mutating func array(depth: Int) throws(JSONParsingError) -> JSONValue {
        guard depth <= rules.maximumDepth else { throw failure("nested too deeply") }
        position += 1
        var elements: [JSONValue] = []
        skipSpace()
        if take(UInt8(ascii: "]")) { return .array(elements) }
        while true {
            elements.append(try value(depth: depth))
            skipSpace()
            if take(UInt8(ascii: "]")) { return .array(elements) }
            guard take(UInt8(ascii: ",")) else { throw failure("a comma or the array's end is expected") }
        }
    }

    private mutating func number() throws(JSONParsingError) -> String {
        let start = position
        _ = take(UInt8(ascii: "-"))
        if !take(UInt8(ascii: "0")) { try digits() }
        if take(UInt8(ascii: ".")) { try digits() }
        if take(UInt8(ascii: "e")) || take(UInt8(ascii: "E")) {
            if !take(UInt8(ascii: "+")) { _ = take(UInt8(ascii: "-")) }
            try digits()
        }
        guard position - start <= 64 else { throw failure("the number is too long") }
        return String(decoding: bytes[start..<position], as: UTF8.self)
    }

    private mutating func digits() throws(JSONParsingError) {
        let start = position
        while let byte = peek, byte >= 0x30, byte <= 0x39 { position += 1 }
        guard position > start else { throw failure("a digit is expected") }
    }

    private mutating func string(allowsEscapes: Bool = true) throws(JSONParsingError) -> String {
        position += 1
        var start = position
        var text: [UInt8] = []
        while let byte = peek {
            switch byte {
            case UInt8(ascii: "\""):
                text.append(contentsOf: bytes[start..<position])
                guard let string = String(validating: text, as: UTF8.self) else { throw failure("not UTF-8") }
                position += 1
                return string
            case UInt8(ascii: "\\"):
                guard allowsEscapes else { throw failure("an escape is not allowed here") }
                text.append(contentsOf: bytes[start..<position])
                position += 1
                try escape(into: &text)
                start = position
            case 0..<0x20:
                throw failure("a control character must be escaped")
            default:
                position += 1
            }
        }
        throw failure("the document ends too early")
    }

    private mutating func escape(into text: inout [UInt8]) throws(JSONParsingError) {
        guard let byte = peek else { throw failure("the document ends too early") }
        position += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(byte)
        case UInt8(ascii: "b"): text.append(0x08)
        case UInt8(ascii: "f"): text.append(0x0C)
        case UInt8(ascii: "n"): text.append(0x0A)
        case UInt8(ascii: "r"): text.append(0x0D)
        case UInt8(ascii: "t"): text.append(0x09)
        case UInt8(ascii: "u"): text.append(contentsOf: Array(String(Character(try scalar())).utf8))
        default: throw failure("an unknown escape")
        }
    }

    /// After `\u`: four hex digits, or two such escapes for a character beyond the first plane.
    private mutating func scalar() throws(JSONParsingError) -> Unicode.Scalar {
        let first = try hexadecimal()
        if let scalar = Unicode.Scalar(first) { return scalar }
        guard first < 0xDC00, take(UInt8(ascii: "\\")), take(UInt8(ascii: "u")) else { throw failure("half a surrogate pair") }
        let second = try hexadecimal()
        guard (0xDC00...0xDFFF).contains(second), let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00)) else {
            throw failure("half a surrogate pair")
        }
        return scalar
    }

    private mutating func hexadecimal() throws(JSONParsingError) -> UInt32 {
        var value: UInt32 = 0
        for _ in 0..<4 {
            guard let byte = peek, let digit = Hex.value(of: byte) else {
                throw failure("four hex digits are expected")
            }
            value = value << 4 | UInt32(digit)
            position += 1
        }
        return value
    }
}

/// The names of one object, compared as `String` does: canonically equivalent text is equal.
///
/// ASCII names are equal only when their bytes are, which `JSONObject` finds; most objects have no others and need no second set.
private struct EquivalentNames {
    private var names: Set<String>?

    /// False when the object has an equivalent name.
    mutating func add(_ name: String, to object: JSONObject) -> Bool {
        if names == nil {
            if name.utf8.allSatisfy({ $0 < 0x80 }) { return true }
            names = Set(object.names)
        }
        return names?.insert(name).inserted ?? true
    }
}
