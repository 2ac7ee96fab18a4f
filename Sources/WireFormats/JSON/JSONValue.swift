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
