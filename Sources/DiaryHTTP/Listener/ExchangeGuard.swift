import DiaryCore
import NIOCore
import NIOHTTP1

/// Sent by a body that is about to be read: answers `Expect: 100-continue`.
struct ContinueBody: Sendable {}

/// Keeps one connection within its limits: framing, deadlines, answers to what never becomes a request, and its end.
/// Hummingbird's own loop would drain an unread body for ever, answer a parse error without a body, and let a drip of bytes live on.
final class ExchangeGuard: ChannelDuplexHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    private struct InFlight {
        var version: HTTPVersion
        var mustClose: Bool
    }

    private enum Ending {
        case no
        /// After the answers to what has been taken; then this problem, when there is one.
        case afterAnswers(DiaryError?)
        /// The last answer is being written.
        case writing
        /// The last answer is out; what still comes is dropped.
        case lingering(until: NIODeadline)
    }

    private let limits: ListenerLimits
    private let connection: ConnectionState
    private let refusals: RefusalReport

    private var inFlight = CircularBuffer<InFlight>(initialCapacity: 2)
    private var ending = Ending.no
    /// A body is arriving.
    private var receiving = false
    private var expectsContinue = false
    private var answerClosesConnection = false
    private var answerStarted = false
    private var pace = BodyPace()
    private var idleSince = NIODeadline.now()
    private var unwritableSince: NIODeadline?
    private var timer: Scheduled<Void>?
    private var timerAt = NIODeadline.distantFuture

    init(limits: ListenerLimits, connection: ConnectionState, refusals: RefusalReport) {
        self.limits = limits
        self.connection = connection
        self.refusals = refusals
    }

    // MARK: Coming in

    func handlerAdded(context: ChannelHandlerContext) {
        if context.channel.isActive { arm(context) }
    }

    func handlerRemoved(context: ChannelHandlerContext) { timer?.cancel() }

    func channelActive(context: ChannelHandlerContext) {
        idleSince = .now()
        arm(context)
        context.fireChannelActive()
    }

    func channelInactive(context: ChannelHandlerContext) {
        timer?.cancel()
        context.fireChannelInactive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head): take(head, data, context)
        case .body(let bytes):
            guard receiving else { return }
            pace.received(bytes.readableBytes, at: .now())
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
        do throws(DiaryError) {
            connection.framing = try FramingRules.framing(of: head)
        } catch {
            return refuse(error, context)
        }
        // The parser stops after a request to upgrade, which we never do.
        let stops = head.method == .CONNECT || head.headers.contains(name: "upgrade")
        inFlight.append(InFlight(version: head.version, mustClose: !head.isKeepAlive || head.version == .http1_0 || stops))
        receiving = true
        expectsContinue = head.version == .http1_1 && head.headers["expect"].contains { $0.lowercased() == "100-continue" }
        pace = BodyPace()
        context.fireChannelRead(data)
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        context.fireChannelReadComplete()
        switch ending {
        case .lingering where connection.dropped > limits.lingerBytes: context.close(promise: nil)
        case .lingering: context.read()
        default: arm(context)
        }
    }

    /// The application asks for more: only now is a silent client slow.
    func read(context: ChannelHandlerContext) {
        if receiving {
            pace.waits(from: .now())
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
            refuse(DiaryError((error as? HTTPParserError) == .headerOverflow ? .headersTooLarge : .malformedRequest), context)
        }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch event {
        case let event as HeadRefused: refuse(event.error, context)
        case is ChannelShouldQuiesceEvent: end(nil, context)
        case ChannelEvent.inputClosed:
            if case .lingering = ending { return context.close(promise: nil) }
            context.fireUserInboundEventTriggered(event)
            end(nil, context)
        default: context.fireUserInboundEventTriggered(event)
        }
    }

    // MARK: Going out

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        switch ending {
        case .writing, .lingering:
            promise?.fail(ChannelError.ioOnClosedChannel)
            return
        case .no, .afterAnswers: break
        }
        switch unwrapOutboundIn(data) {
        case .head(var head):
            guard head.status.code >= 200 else { return context.write(data, promise: promise) }
            answerStarted = true
            answerClosesConnection = mustCloseAfterAnswer || head.headers["connection"].contains { $0.lowercased() == "close" }
            if answerClosesConnection { head.headers.replaceOrAdd(name: "Connection", value: "close") }
            if let version = inFlight.first?.version { head.version = version }
            context.write(wrapOutboundOut(.head(head)), promise: promise)
        case .body: context.write(data, promise: promise)
        case .end:
            answerStarted = false
            _ = inFlight.popFirst()
            if answerClosesConnection || mustCloseAfterAnswer(inFlight.isEmpty) {
                finish(data, promise, context)
            } else {
                context.write(data, promise: promise)
                idleSince = .now()
                if inFlight.isEmpty, case .afterAnswers(let problem) = ending { conclude(problem, context) }
                arm(context)
            }
        }
    }

    /// For the answer about to start.
    private var mustCloseAfterAnswer: Bool {
        if inFlight.first?.mustClose ?? true { return true }
        guard inFlight.count == 1 else { return false }
        if receiving { return true }
        if case .afterAnswers(nil) = ending { return true }
        return false
    }

    /// For the answer that just ended: its request may still be arriving, or the end may have been decided meanwhile.
    private func mustCloseAfterAnswer(_ wasLast: Bool) -> Bool {
        guard wasLast else { return false }
        if receiving { return true }
        if case .afterAnswers(nil) = ending { return true }
        return false
    }

    func triggerUserOutboundEvent(context: ChannelHandlerContext, event: Any, promise: EventLoopPromise<Void>?) {
        guard event is ContinueBody else { return context.triggerUserOutboundEvent(event, promise: promise) }
        if expectsContinue, receiving, !answerStarted, inFlight.count == 1, pace.bytes == 0 {
            expectsContinue = false
            let head = HTTPResponseHead(version: .http1_1, status: .continue)
            context.writeAndFlush(wrapOutboundOut(.head(head)), promise: promise)
        } else {
            promise?.succeed(())
        }
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        unwritableSince = context.channel.isWritable ? nil : .now()
        arm(context)
        context.fireChannelWritabilityChanged()
    }

    // MARK: Ending

    /// Answers a head that is not acceptable, after the answers before it.
    private func refuse(_ error: DiaryError, _ context: ChannelHandlerContext) {
        connection.framing = .refused
        connection.headSince = nil
        guard case .no = ending else { return }
        inFlight.isEmpty ? conclude(error, context) : (ending = .afterAnswers(error))
    }

    /// Ends the connection when everything taken is answered.
    private func end(_ problem: DiaryError?, _ context: ChannelHandlerContext) {
        guard case .no = ending else { return }
        guard inFlight.isEmpty else {
            ending = .afterAnswers(problem)
            return
        }
        conclude(problem, context)
    }

    /// A body that broke or is too slow: whoever reads it learns so and answers.
    private func breakBody(_ error: any Error, _ context: ChannelHandlerContext) {
        connection.framing = .refused
        guard receiving else { return }
        if case .no = ending { ending = .afterAnswers(nil) }
        pace.stop()
        context.fireErrorCaught(error)
    }

    private func conclude(_ problem: DiaryError?, _ context: ChannelHandlerContext) {
        connection.framing = .refused
        guard let problem else {
            ending = .writing
            context.close(promise: nil)
            return
        }
        let (head, body) = refusals.answer(problem)
        ending = .writing
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        context.write(wrapOutboundOut(.body(.byteBuffer(body))), promise: nil)
        lastWrite(wrapOutboundOut(.end(nil)), nil, lingers: true, context)
    }

    private func finish(_ data: NIOAny, _ promise: EventLoopPromise<Void>?, _ context: ChannelHandlerContext) {
        let unread = receiving || connection.framing != .head
        connection.framing = .refused
        ending = .writing
        lastWrite(data, promise, lingers: unread, context)
    }

    /// When the last byte has gone out: close, or half-close and drop what still comes, because closing over unread bytes would reset
    /// the connection and take the answer away from the client.
    private func lastWrite(_ data: NIOAny, _ promise: EventLoopPromise<Void>?, lingers: Bool, _ context: ChannelHandlerContext) {
        let written = context.eventLoop.makePromise(of: Void.self)
        let here = NIOLoopBound((guardian: self, context: context), eventLoop: context.eventLoop)
        written.futureResult.whenComplete { result in
            let (guardian, context) = here.value
            promise?.completeWith(result)
            guard case .success = result, lingers else { return context.close(promise: nil) }
            guardian.ending = .lingering(until: .now() + seconds(guardian.limits.lingerSeconds))
            context.close(mode: .output, promise: nil)
            guardian.arm(context)
            context.read()
        }
        context.writeAndFlush(data, promise: written)
        arm(context)
    }

    // MARK: Deadlines

    /// One timer per connection, set for the nearest deadline; a later one needs no call.
    private func arm(_ context: ChannelHandlerContext) {
        guard let next = nextDeadline, context.channel.isActive else { return }
        guard timer == nil || next < timerAt else { return }
        timer?.cancel()
        timerAt = next
        let here = NIOLoopBound((guardian: self, context: context), eventLoop: context.eventLoop)
        timer = context.eventLoop.scheduleTask(deadline: next) {
            let (guardian, context) = here.value
            guardian.timer = nil
            guardian.timerAt = .distantFuture
            guardian.check(context)
            guardian.arm(context)
        }
    }

    private var nextDeadline: NIODeadline? {
        var next: NIODeadline?
        func consider(_ deadline: NIODeadline?) {
            if let deadline { next = min(next ?? deadline, deadline) }
        }
        if case .lingering(let until) = ending { return until }
        consider(unwritableSince.map { $0 + seconds(limits.writeStall) })
        if case .writing = ending { return next }
        if let since = connection.headSince {
            consider(since + seconds(limits.head))
        } else if inFlight.isEmpty {
            consider(idleSince + seconds(limits.idle))
        }
        if receiving { consider(pace.nextCheck(limits)) }
        return next
    }

    private func check(_ context: ChannelHandlerContext) {
        let now = NIODeadline.now()
        if case .lingering(let until) = ending {
            if now >= until { context.close(promise: nil) }
            return
        }
        if let since = unwritableSince, now >= since + seconds(limits.writeStall) { return context.close(promise: nil) }
        if let since = connection.headSince, now >= since + seconds(limits.head) { return refuse(DiaryError(.requestTimeout), context) }
        if receiving, pace.isTooSlow(limits, at: now) { return breakBody(BodyTooSlow(), context) }
        if inFlight.isEmpty, connection.headSince == nil, now >= idleSince + seconds(limits.idle) { end(nil, context) }
    }
}

@available(*, unavailable)
extension ExchangeGuard: Sendable {}
