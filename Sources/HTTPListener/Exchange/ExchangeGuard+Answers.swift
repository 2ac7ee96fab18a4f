import NIOCore
import NIOHTTP1

extension ExchangeGuard {
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
                if inFlight.isEmpty, case .afterAnswers(let refusal) = ending { conclude(refusal, context) }
                reportProgress()
                arm(context)
            }
        }
    }

    func flush(context: ChannelHandlerContext) {
        context.flush()
        updateUnsent(context)
        if sendPace.since != nil { arm(context) }
    }

    /// For the answer about to start.
    private var mustCloseAfterAnswer: Bool {
        if inFlight.first?.mustClose ?? true { return true }
        guard inFlight.count == 1 else { return false }
        if receiving || drainsUntil != nil || isEvicted { return true }
        if case .afterAnswers(nil) = ending { return true }
        return false
    }

    /// For the answer that just ended: its request may still be arriving, or the end may have been decided meanwhile.
    private func mustCloseAfterAnswer(_ wasLast: Bool) -> Bool {
        guard wasLast else { return false }
        if receiving || isEvicted { return true }
        if case .afterAnswers(nil) = ending { return true }
        return false
    }

    func triggerUserOutboundEvent(context: ChannelHandlerContext, event: Any, promise: EventLoopPromise<Void>?) {
        switch event {
        case is ContinueBody: allowBody(promise, context)
        case is CollectedBody:
            // With another request in flight the body that arrives is that one's.
            if receiving, inFlight.count == 1 {
                bodyPace.isCollected = true
                reportProgress()
                arm(context)
            }
            promise?.succeed(())
        default: context.triggerUserOutboundEvent(event, promise: promise)
        }
    }

    private func allowBody(_ promise: EventLoopPromise<Void>?, _ context: ChannelHandlerContext) {
        if expectsContinue, receiving, !answerStarted, inFlight.count == 1, bodyPace.bytes == 0 {
            expectsContinue = false
            let head = HTTPResponseHead(version: .http1_1, status: .continue)
            context.writeAndFlush(wrapOutboundOut(.head(head)), promise: promise)
        } else {
            promise?.succeed(())
        }
    }
}
