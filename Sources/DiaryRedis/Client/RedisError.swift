/// Why a Redis command failed. Holds no argument, key, value or password.
package enum RedisError: Error, Sendable, Equatable, CustomStringConvertible {
    /// No connection, or too many commands in flight. The command was not sent.
    case unavailable
    /// An error reply: the first word only (`WRONGPASS`, `NOSCRIPT`, `READONLY` …), never its arguments.
    case server(code: String)
    /// No reply within the deadline. The command may have run.
    case timeout
    /// The reply is not RESP2, or larger or deeper than the limits.
    case protocolError
    /// The connection was lost with the command in flight (it may have run), or the client was closed.
    case closed

    /// A write was sent to a replica.
    static let readOnlyCode = "READONLY"

    package var description: String {
        switch self {
        case .unavailable: "redis: unavailable"
        case .server(let code): "redis: server error \(code)"
        case .timeout: "redis: timeout"
        case .protocolError: "redis: protocol error"
        case .closed: "redis: connection closed"
        }
    }

    /// The first word of an error reply when it looks like a code, else `ERR`.
    static func code(of message: some Collection<UInt8>) -> String {
        let word = message.prefix { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\r") && $0 != UInt8(ascii: "\n") }
        let isCode = (1...32).contains(word.count) && word.allSatisfy { (65...90).contains($0) || (48...57).contains($0) || $0 == 95 }
        return isCode ? String(decoding: word, as: UTF8.self) : "ERR"
    }
}
