import NIOCore

/// Reads request heads byte by byte ahead of the parser and refuses what is ambiguous (RFC 9112 sections 2.2, 5.1, 11.2; F3, F5):
/// bare LF, folded lines, space before a colon, control characters, unknown methods and versions, too much of anything.
/// It hands the parser one message at a time, so the second of two pipelined requests is never parsed before the framing of the first
/// is known.
final class HeadScanner: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundIn = IOData
    typealias OutboundOut = IOData

    private let limits: ListenerLimits
    private let connection: ConnectionState
    private var head: HeadRules

    init(limits: ListenerLimits, connection: ConnectionState) {
        self.limits = limits
        self.connection = connection
        head = HeadRules(limits: limits)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        connection.sent += unwrapOutboundIn(data).readableBytes
        context.write(data, promise: promise)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var buffer = unwrapInboundIn(data)
        while buffer.readableBytes > 0 {
            switch connection.framing {
            case .head:
                if connection.headSince == nil { connection.headSince = .now() }
                let (taken, verdict) = head.scan(buffer.readableBytesView)
                connection.origin = head.origin
                let slice = buffer.readSlice(length: taken)
                switch verdict {
                case .refuse(let refusal):
                    connection.framing = .refused
                    context.fireUserInboundEventTriggered(HeadRefused(refusal: refusal))
                    return
                case .complete:
                    head = HeadRules(limits: limits)
                    connection.headSince = nil
                    connection.framing = .decoding
                    if let slice { context.fireChannelRead(wrapInboundOut(slice)) }
                    // The guard has set the framing, or the parser has refused the head.
                    if connection.framing == .decoding { connection.framing = .refused }
                case .more:
                    if let slice { context.fireChannelRead(wrapInboundOut(slice)) }
                }
            case .length(let left):
                let count = min(left, buffer.readableBytes)
                connection.framing = left > count ? .length(left - count) : .head
                if let slice = buffer.readSlice(length: count) { context.fireChannelRead(wrapInboundOut(slice)) }
            case .chunked:
                context.fireChannelRead(wrapInboundOut(buffer))
                return
            case .decoding, .refused:
                connection.dropped += buffer.readableBytes
                return
            }
        }
    }
}

/// Sent to the guard: the scanner refuses a head.
struct HeadRefused {
    var refusal: ListenerRefusal
}

/// Why bytes of a client never became a request.
package enum ListenerRefusal: Error, Sendable, CaseIterable {
    /// Not HTTP/1, or two servers could read it differently: 400.
    case malformedRequest
    /// A method that no operation has: 405.
    case unknownMethod
    /// The head took longer than `ListenerLimits.head`: 408.
    case requestTimeout
    /// 414.
    case uriTooLong
    /// 431.
    case headersTooLarge
}
