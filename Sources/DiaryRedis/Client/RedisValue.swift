/// A RESP2 reply.
package enum RedisValue: Sendable, Equatable {
    case bytes([UInt8])
    case int(Int64)
    case array([RedisValue])
    case null
    case status(String)
    /// An error inside an array; one at the top is thrown as `RedisError.server`. The code only.
    case error(code: String)

    package var int: Int64? {
        if case .int(let value) = self { value } else { nil }
    }

    package var bytes: [UInt8]? {
        if case .bytes(let value) = self { value } else { nil }
    }

    package var array: [RedisValue]? {
        if case .array(let value) = self { value } else { nil }
    }

    /// Bytes or status as text.
    package var text: String? {
        switch self {
        case .bytes(let value): String(decoding: value, as: UTF8.self)
        case .status(let value): value
        default: nil
        }
    }
}
