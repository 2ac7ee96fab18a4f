/// A JSON value as `StrictJSON` reads it. Objects keep every member in order; none appears twice.
indirect enum JSONValue: Sendable {
    case object(JSONObject)
    case array([JSONValue])
    case string(String)
    /// A number without fraction and exponent that fits.
    case integer(Int64)
    /// Any other number: nothing here has a use for one.
    case otherNumber
    case bool(Bool)
    case null

    var string: String? { if case .string(let text) = self { text } else { nil } }
    var integer: Int64? { if case .integer(let number) = self { number } else { nil } }
    var object: JSONObject? { if case .object(let object) = self { object } else { nil } }
    var array: [JSONValue]? { if case .array(let values) = self { values } else { nil } }

    /// The strings of an array that holds nothing else.
    var strings: [String]? {
        guard let array else { return nil }
        let strings = array.compactMap(\.string)
        return strings.count == array.count ? strings : nil
    }
}

struct JSONObject: Sendable {
    private(set) var members: [(name: String, value: JSONValue)] = []

    subscript(_ name: String) -> JSONValue? {
        members.first { $0.name.hasSameBytes(as: name) }?.value
    }

    /// False when the name is there already.
    mutating func add(_ name: String, _ value: JSONValue) -> Bool {
        guard self[name] == nil else { return false }
        members.append((name, value))
        return true
    }

    /// True when every member's name is one of these.
    func hasOnly(_ names: [String]) -> Bool {
        members.allSatisfy { member in names.contains { $0.hasSameBytes(as: member.name) } }
    }
}

extension String {
    /// Decision: JOSE names and values are compared byte for byte; `==` would also take canonically equivalent text.
    func hasSameBytes(as other: String) -> Bool { utf8.elementsEqual(other.utf8) }
}
