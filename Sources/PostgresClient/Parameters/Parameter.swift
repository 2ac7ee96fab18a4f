package import FoundationEssentials

/// One value for one `$n`. Every factory takes an optional, nil being a NULL of that type.
package struct Parameter: Sendable {
    @usableFromInline
    enum Value: Sendable {
        case null
        /// Has no representation in Postgres.
        case impossible
        case bool(Bool)
        case bytes([UInt8])
        case int(Int64)
        case int4(Int32)
        case text(String)
        case double(Double)
        case date(String)
        case timestamp(Date)
        case uuid(UUID)
        case json(String)
        case uuids([UUID])
        case texts([String])
        case ints([Int64])
        case byteArrays([[UInt8]])
    }

    let type: ParameterType
    let value: Value

    @usableFromInline
    init(_ type: ParameterType, _ value: Value?) {
        self.type = type
        self.value = value ?? .null
    }

    @inlinable package static func null(_ type: ParameterType) -> Parameter { Parameter(type, nil) }
    /// A NULL whose type the server infers from its place in the statement.
    package static let null = Parameter(.inferred, nil)

    @inlinable package static func bool(_ value: Bool?) -> Parameter { Parameter(.bool, value.map { .bool($0) }) }
    /// `bytea`
    @inlinable package static func bytes(_ value: [UInt8]?) -> Parameter { Parameter(.bytes, value.map { .bytes($0) }) }
    /// `bigint`
    @inlinable package static func int(_ value: Int64?) -> Parameter { Parameter(.int, value.map { .int($0) }) }
    /// `bigint`
    @inlinable package static func int(_ value: Int?) -> Parameter { Parameter(.int, value.map { .int(Int64($0)) }) }
    /// `integer`
    @inlinable package static func int4(_ value: Int32?) -> Parameter { Parameter(.int4, value.map { .int4($0) }) }
    @inlinable package static func text(_ value: String?) -> Parameter { Parameter(.text, value.map { .text($0) }) }
    /// `double precision`
    @inlinable package static func double(_ value: Double?) -> Parameter { Parameter(.double, value.map { .double($0) }) }
    /// `date`, written `YYYY-MM-DD`
    @inlinable package static func date(_ value: String?) -> Parameter { Parameter(.date, value.map { .date($0) }) }
    /// `timestamp` without time zone
    package static func localTimestamp(_ value: LocalTimestamp?) -> Parameter {
        Parameter(.localTimestamp, value.map { $0.postgresMicroseconds.map { .int($0) } ?? .impossible })
    }
    /// `timestamptz`, rounded to a microsecond
    @inlinable package static func timestamp(_ value: Date?) -> Parameter { Parameter(.timestamp, value.map { .timestamp($0) }) }
    @inlinable package static func uuid(_ value: UUID?) -> Parameter { Parameter(.uuid, value.map { .uuid($0) }) }
    /// `jsonb`, as JSON text
    @inlinable package static func json(_ value: String?) -> Parameter { Parameter(.json, value.map { .json($0) }) }
    /// `uuid[]`
    @inlinable package static func uuids(_ value: [UUID]?) -> Parameter { Parameter(.uuids, value.map { .uuids($0) }) }
    /// `text[]`
    @inlinable package static func texts(_ value: [String]?) -> Parameter { Parameter(.texts, value.map { .texts($0) }) }
    /// `bigint[]`
    @inlinable package static func ints(_ value: [Int64]?) -> Parameter { Parameter(.ints, value.map { .ints($0) }) }
    /// `bytea[]`
    @inlinable package static func byteArrays(_ value: [[UInt8]]?) -> Parameter { Parameter(.byteArrays, value.map { .byteArrays($0) }) }
}

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
