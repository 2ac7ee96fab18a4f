/// A JSON document as it was sent. Numbers keep their spelling, so that nothing is lost before a field says what it wants.
package indirect enum JSONValue: Sendable, Equatable {
    case null
    case bool(Bool)
    case number(String)
    case string(String)
    case array([JSONValue])
    case object([String: JSONValue])
}
