/// Reads one JSON object (RFC 8259) and refuses what two readers could understand differently: a member twice at any
/// level, an escape in a member's name, a lone surrogate, bad UTF-8, anything after the object.
///
/// Decision: JSONDecoder and JSONSerialization keep one of two equal members silently, so tokens and key sets are read here.
struct StrictJSON {
    private let bytes: [UInt8]
    private var position = 0
    private var depth = 0

    /// Tokens and key sets nest three levels; more is an attack on the stack.
    private static let maximumDepth = 6
    private static let maximumMembers = 64

    private init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// - Parameter bytes: the whole document; its size is the caller's to limit.
    static func object(_ bytes: [UInt8]) -> JSONObject? {
        var reader = StrictJSON(bytes)
        reader.skipSpace()
        guard reader.next == UInt8(ascii: "{"), case .object(let object)? = reader.value() else { return nil }
        reader.skipSpace()
        return reader.next == nil ? object : nil
    }

    private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func take() -> UInt8? {
        guard let byte = next else { return nil }
        position += 1
        return byte
    }

    private mutating func take(_ expected: Unicode.Scalar) -> Bool {
        guard next == UInt8(ascii: expected) else { return false }
        position += 1
        return true
    }

    private mutating func take(word: StaticString) -> Bool {
        let letters = Array(word.description.utf8)
        guard bytes.dropFirst(position).starts(with: letters) else { return false }
        position += letters.count
        return true
    }

    private mutating func skipSpace() {
        while let byte = next, byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D { position += 1 }
    }

    private mutating func value() -> JSONValue? {
        switch next {
        case UInt8(ascii: "{"): nested { $0.objectValue() }
        case UInt8(ascii: "["): nested { $0.arrayValue() }
        case UInt8(ascii: "\""): string(escapes: true).map(JSONValue.string)
        case UInt8(ascii: "t"): take(word: "true") ? .bool(true) : nil
        case UInt8(ascii: "f"): take(word: "false") ? .bool(false) : nil
        case UInt8(ascii: "n"): take(word: "null") ? .null : nil
        default: number()
        }
    }

    private mutating func nested(_ read: (inout StrictJSON) -> JSONValue?) -> JSONValue? {
        guard depth < Self.maximumDepth else { return nil }
        depth += 1
        defer { depth -= 1 }
        return read(&self)
    }

    private mutating func objectValue() -> JSONValue? {
        guard take("{") else { return nil }
        var object = JSONObject()
        skipSpace()
        if take("}") { return .object(object) }
        while true {
            skipSpace()
            // Decision: no name of JOSE needs an escape; `"\u0061lg"` only serves to hide one from another reader.
            guard object.members.count < Self.maximumMembers, let name = string(escapes: false) else { return nil }
            skipSpace()
            guard take(":") else { return nil }
            skipSpace()
            guard let value = value(), object.add(name, value) else { return nil }
            skipSpace()
            if take(",") { continue }
            return take("}") ? .object(object) : nil
        }
    }

    private mutating func arrayValue() -> JSONValue? {
        guard take("[") else { return nil }
        var values: [JSONValue] = []
        skipSpace()
        if take("]") { return .array(values) }
        while true {
            skipSpace()
            guard let value = value() else { return nil }
            values.append(value)
            skipSpace()
            if take(",") { continue }
            return take("]") ? .array(values) : nil
        }
    }

    private mutating func number() -> JSONValue? {
        let start = position
        _ = take("-")
        let firstDigit = position
        while let byte = next, isDigit(byte) { position += 1 }
        let digits = position - firstDigit
        guard digits > 0, digits == 1 || bytes[firstDigit] != UInt8(ascii: "0") else { return nil }
        guard next != UInt8(ascii: "."), next != UInt8(ascii: "e"), next != UInt8(ascii: "E") else { return otherNumber() }
        return Int64(String(decoding: bytes[start..<position], as: UTF8.self)).map(JSONValue.integer) ?? .otherNumber
    }

    private mutating func otherNumber() -> JSONValue? {
        if take(".") {
            guard let byte = next, isDigit(byte) else { return nil }
            while let byte = next, isDigit(byte) { position += 1 }
        }
        if take("e") || take("E") {
            if !take("+") { _ = take("-") }
            guard let byte = next, isDigit(byte) else { return nil }
            while let byte = next, isDigit(byte) { position += 1 }
        }
        return .otherNumber
    }

    private func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

    private mutating func string(escapes: Bool) -> String? {
        guard take("\"") else { return nil }
        var text: [UInt8] = []
        while let byte = take() {
            switch byte {
            case UInt8(ascii: "\""): return String(validating: text, as: UTF8.self)
            case UInt8(ascii: "\\"):
                guard escapes, let scalar = escapedScalar() else { return nil }
                text.append(contentsOf: Array(String(Character(scalar)).utf8))
            case ..<0x20: return nil
            default: text.append(byte)
            }
        }
        return nil
    }

    private mutating func escapedScalar() -> Unicode.Scalar? {
        switch take() {
        case UInt8(ascii: "\""): "\""
        case UInt8(ascii: "\\"): "\\"
        case UInt8(ascii: "/"): "/"
        case UInt8(ascii: "b"): "\u{08}"
        case UInt8(ascii: "f"): "\u{0C}"
        case UInt8(ascii: "n"): "\n"
        case UInt8(ascii: "r"): "\r"
        case UInt8(ascii: "t"): "\t"
        case UInt8(ascii: "u"): unicodeScalar()
        default: nil
        }
    }

    private mutating func unicodeScalar() -> Unicode.Scalar? {
        guard let high = hex4() else { return nil }
        guard (0xD800...0xDBFF).contains(high) else { return Unicode.Scalar(high) }
        guard take("\\"), take("u"), let low = hex4(), (0xDC00...0xDFFF).contains(low) else { return nil }
        return Unicode.Scalar(0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00))
    }

    private mutating func hex4() -> UInt32? {
        var number: UInt32 = 0
        for _ in 0..<4 {
            guard let byte = take(), byte < 0x80, let digit = Character(Unicode.Scalar(byte)).hexDigitValue else { return nil }
            number = number << 4 | UInt32(digit)
        }
        return number
    }
}
