import NIOCore
import NIOHTTP1

/// Sent when a body is about to be read: answers `Expect: 100-continue`.
struct ContinueBody: Sendable {}

/// Sent when a body is held in memory until it is whole, which bounds the time that it may take.
struct CollectedBody: Sendable {}

/// Keeps one connection within its limits: framing, deadlines, answers to what never becomes a request, and its end.
/// Hummingbird's own loop would drain an unread body without end, answer a parse error without a body, and never close a slow client.
///
/// This file handles what comes in; answers, the end and deadlines are in the extensions beside it.
final class ExchangeGuard: ChannelDuplexHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    struct InFlight {
        var version: HTTPVersion
        var mustClose: Bool
    }

    enum Ending {
        case no
        /// After the answers to the accepted requests; then this refusal, when there is one.
        case afterAnswers(ListenerRefusal?)
        /// The last answer is being written.
        case writing
        /// The last answer is out; what still comes is dropped.
        case lingering(until: NIODeadline)
    }

    let limits: ListenerLimits
    let connection: ConnectionState
    let tracked: TrackedConnection?
    let table: ConnectionTable
    let application: any HTTPApplication

    var inFlight = CircularBuffer<InFlight>(initialCapacity: 2)
    var ending = Ending.no
    /// The listener stops: the next answer is the last, and until then a request may still come.
    var drainsUntil: NIODeadline?
    /// Until then a new connection is not evicted for silence: its loop may not have polled yet. A timer fires after its loop has read.
    var notEvictableUntil: NIODeadline?
    /// The connection was evicted while a request was in flight: it ends with that answer.
    var isEvicted = false
    /// A body is arriving.
    var receiving = false
    var inputClosed = false
    var expectsContinue = false
    var answerClosesConnection = false
    var answerStarted = false
    var bodyPace = BodyPace()
    var sendPace = SendPace()
    var idleSince = NIODeadline.now()
    var timer: Scheduled<Void>?
    var timerAt = NIODeadline.distantFuture

    init(
        limits: ListenerLimits, connection: ConnectionState, tracked: TrackedConnection?, table: ConnectionTable,
        application: any HTTPApplication
    ) {
        self.limits = limits
        self.connection = connection
        self.tracked = tracked
        self.table = table
        self.application = application
    }

    func handlerAdded(context: ChannelHandlerContext) {
        if context.channel.isActive { begin(context) }
    }

    func handlerRemoved(context: ChannelHandlerContext) { timer?.cancel() }

    func channelActive(context: ChannelHandlerContext) {
        begin(context)
        context.fireChannelActive()
    }

    func channelInactive(context: ChannelHandlerContext) {
        timer?.cancel()
        context.fireChannelInactive()
    }

    private func begin(_ context: ChannelHandlerContext) {
        idleSince = .now()
        notEvictableUntil = idleSince + .milliseconds(50)
        if let tracked { table.activate(tracked) }
        if table.isDraining { drain(context) }
        arm(context)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head): take(head, data, context)
        case .body(let bytes):
            guard receiving else { return }
            bodyPace.received(bytes.readableBytes, at: .now())
            context.fireChannelRead(data)
        case .end:
            guard receiving else { return }
            receiving = false
            if connection.framing == .chunked { connection.framing = .head }
            context.fireChannelRead(data)
        }
    }

    private func take(_ head: HTTPRequestHead, _ data: NIOAny, _ context: ChannelHandlerContext) {
        // After a chunked body the scanner cannot have seen this head: the client may send it again.
        guard case .no = ending, connection.framing == .decoding else {
            connection.framing = .refused
            return end(nil, context)
        }
        do throws(ListenerRefusal) {
            connection.framing = try FramingRules.framing(of: head)
        } catch {
            return refuse(error, context)
        }
        // What is refused from here on is not this request.
        connection.origin = OriginField()
        // The parser stops after a request to upgrade, which is never granted.
        let stops = head.method == .CONNECT || head.headers.contains(name: "upgrade")
        inFlight.append(InFlight(version: head.version, mustClose: !head.isKeepAlive || head.version == .http1_0 || stops))
        receiving = true
        expectsContinue = head.version == .http1_1 && head.headers["expect"].contains { $0.lowercased() == "100-continue" }
        bodyPace = BodyPace()
        context.fireChannelRead(data)
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        context.fireChannelReadComplete()
        switch ending {
        case .lingering where connection.dropped > limits.lingerBytes: context.close(promise: nil)
        case .lingering: context.read()
        default:
            notEvictableUntil = nil
            reportProgress()
            arm(context)
        }
    }

    /// The application asks for more: a client that sends nothing counts as slow from here.
    func read(context: ChannelHandlerContext) {
        if receiving {
            bodyPace.waits(from: .now())
            reportProgress()
            arm(context)
        }
        context.read()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard error is HTTPParserError else { return context.fireErrorCaught(error) }
        connection.framing = .refused
        if receiving {
            breakBody(error, context)
        } else {
            refuse((error as? HTTPParserError) == .headerOverflow ? .headersTooLarge : .malformedRequest, context)
        }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch event {
        case let event as HeadRefused: refuse(event.refusal, context)
        case is ChannelShouldQuiesceEvent: drain(context)
        case is Eviction: evict(context)
        case ChannelEvent.inputClosed:
            inputClosed = true
            tracked?.setInputClosed()
            if case .lingering = ending { return context.close(promise: nil) }
            context.fireUserInboundEventTriggered(event)
            end(nil, context)
        default: context.fireUserInboundEventTriggered(event)
        }
    }
}

@available(*, unavailable)
extension ExchangeGuard: Sendable {}
