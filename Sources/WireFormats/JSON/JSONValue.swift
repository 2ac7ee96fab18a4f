/// A JSON document as it was sent. Numbers keep their spelling, so that no digit is lost before a field parses them.
package indirect enum JSONValue: Sendable, Equatable {
    case null
    case bool(Bool)
    case number(String)
    case string(String)
    case array([JSONValue])
    case object(JSONObject)

    package var string: String? { if case .string(let text) = self { text } else { nil } }
    package var object: JSONObject? { if case .object(let object) = self { object } else { nil } }
    package var array: [JSONValue]? { if case .array(let values) = self { values } else { nil } }

    /// A number without fraction and exponent that fits.
    package var integer: Int64? { if case .number(let spelling) = self { Int64(spelling) } else { nil } }

    /// The strings of an array that holds nothing else.
    package var strings: [String]? {
        guard let array else { return nil }
        let strings = array.compactMap(\.string)
        return strings.count == array.count ? strings : nil
    }
}

/// The members of a JSON object; no name appears twice. Names are compared byte for byte (RFC 8259 section 8.3): `String`'s `==` would also
/// take canonically equivalent text.
package struct JSONObject: Sendable, Equatable {
    private var values: [Name: JSONValue] = [:]

    package init() {}

    package var count: Int { values.count }
    package var isEmpty: Bool { values.isEmpty }
    package var names: [String] { values.keys.map(\.text) }
    package var members: [(name: String, value: JSONValue)] { values.map { ($0.key.text, $0.value) } }

    package subscript(_ name: String) -> JSONValue? { values[Name(text: name)] }

    /// True when every member's name is one of these.
    package func hasOnly(_ names: [String]) -> Bool {
        let allowed = names.map { Name(text: $0) }
        return values.keys.allSatisfy(allowed.contains)
    }

    /// False when the name is there already.
    mutating func add(_ name: String, _ value: JSONValue) -> Bool {
        values.updateValue(value, forKey: Name(text: name)) == nil
    }

    /// Replaces a member of the same name.
    mutating func set(_ name: String, _ value: JSONValue) { values[Name(text: name)] = value }

    private struct Name: Hashable {
        let text: String

        static func == (a: Self, b: Self) -> Bool { a.text.utf8.elementsEqual(b.text.utf8) }

        func hash(into hasher: inout Hasher) {
            var text = text
            text.withUTF8 { unsafe hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        }
    }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
    /// Makes an object of these members; of two equal names the last one stays.
    package init(dictionaryLiteral members: (String, JSONValue)...) {
        for (name, value) in members { _ = add(name, value) }
    }
}
