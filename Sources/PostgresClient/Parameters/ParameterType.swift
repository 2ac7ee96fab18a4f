/// Types of parameters; raw values are the OIDs of `pg_type`.
package enum ParameterType: UInt32, Sendable {
    /// The server infers it. Only for NULL.
    case inferred = 0
    case bool = 16
    case bytes = 17
    case int = 20
    case int4 = 23
    case text = 25
    case double = 701
    case byteArrays = 1001
    case texts = 1009
    case ints = 1016
    case date = 1082
    case localTimestamp = 1114
    case timestamp = 1184
    case uuid = 2950
    case uuids = 2951
    case json = 3802
}
