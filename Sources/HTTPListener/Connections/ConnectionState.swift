import NIOCore

/// State shared by the two handlers of a connection; used on its event loop alone.
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
    /// When the first byte of an unfinished head came.
    var headSince: NIODeadline?
    /// Of the head that is being read, until it is accepted.
    var origin = OriginField()
    /// Bytes dropped after a refusal.
    var dropped = 0
    /// Bytes of answers given to the channel.
    var sent = 0
}
