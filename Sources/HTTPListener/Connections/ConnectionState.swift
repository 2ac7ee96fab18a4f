import NIOCore

/// What the two handlers of a connection know together; touched on its event loop alone.
final class ConnectionState {
    enum Framing: Equatable {
        /// A head is expected.
        case head
        /// A whole head has gone to the parser.
        case decoding
        case length(Int)
        case chunked
        /// Nothing more is taken from this connection.
        case refused
    }

    var framing = Framing.head
    /// When the first byte of a head came whose last has not.
    var headSince: NIODeadline?
    /// Bytes thrown away after a refusal.
    var dropped = 0
    /// Bytes of answers given to the channel.
    var sent = 0
}
