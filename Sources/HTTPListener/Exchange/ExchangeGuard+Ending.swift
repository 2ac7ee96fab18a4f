import HTTPTypes
import NIOCore
import NIOHTTP1

extension ExchangeGuard {
    /// Answers a head that is not acceptable, after the answers before it.
    func refuse(_ refusal: ListenerRefusal, _ context: ChannelHandlerContext) {
        connection.framing = .refused
        connection.headSince = nil
        guard case .no = ending else { return }
        inFlight.isEmpty ? conclude(refusal, context) : (ending = .afterAnswers(refusal))
    }

    /// Ends the connection when every accepted request is answered.
    func end(_ refusal: ListenerRefusal?, _ context: ChannelHandlerContext) {
        guard case .no = ending else { return }
        guard inFlight.isEmpty else {
            ending = .afterAnswers(refusal)
            return
        }
        conclude(refusal, context)
    }

    /// The listener stops. A request that the client sends at this moment, on a new connection or a kept one, is still answered (A14):
    /// closing at once would reset it.
    func drain(_ context: ChannelHandlerContext) {
        guard drainsUntil == nil else { return }
        drainsUntil = .now() + seconds(limits.drainWait)
        arm(context)
    }

    /// Closes at once, unless a request has come meanwhile; then after its answer.
    func evict(_ context: ChannelHandlerContext) {
        reportProgress()
        if tracked?.waitingSince == nil {
            isEvicted = true
        } else {
            context.close(promise: nil)
        }
    }

    /// A body that broke or is too slow: its reader gets the error and answers.
    func breakBody(_ error: any Error, _ context: ChannelHandlerContext) {
        connection.framing = .refused
        guard receiving else { return }
        if case .no = ending { ending = .afterAnswers(nil) }
        bodyPace.stop()
        context.fireErrorCaught(error)
    }

    func conclude(_ refusal: ListenerRefusal?, _ context: ChannelHandlerContext) {
        connection.framing = .refused
        ending = .writing
        guard let refusal else { return linger(context) }
        let response = application.refuse(refusal, origin: connection.origin.value)
        let headers = HTTPHeaders(response.headers.map { ($0.name.rawName, $0.value) })
        let head = HTTPResponseHead(version: .http1_1, status: HTTPResponseStatus(statusCode: response.status.code), headers: headers)
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        context.write(wrapOutboundOut(.body(.byteBuffer(response.body))), promise: nil)
        lastWrite(wrapOutboundOut(.end(nil)), nil, context)
    }

    func finish(_ data: NIOAny, _ promise: EventLoopPromise<Void>?, _ context: ChannelHandlerContext) {
        connection.framing = .refused
        ending = .writing
        lastWrite(data, promise, context)
    }

    private func lastWrite(_ data: NIOAny, _ promise: EventLoopPromise<Void>?, _ context: ChannelHandlerContext) {
        let written = context.eventLoop.makePromise(of: Void.self)
        let here = NIOLoopBound((handler: self, context: context), eventLoop: context.eventLoop)
        written.futureResult.whenComplete { result in
            let (handler, context) = here.value
            promise?.completeWith(result)
            guard case .success = result else { return context.close(promise: nil) }
            handler.linger(context)
        }
        context.writeAndFlush(data, promise: written)
        updateUnsent(context)
        arm(context)
    }

    /// The application has written its last byte. While the last answer is unsent this handler closes: where the client has half-closed,
    /// the channel would close as a whole and drop what is unsent.
    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        if case .writing = ending, mode == .output { return promise?.succeed(()) ?? () }
        context.close(mode: mode, promise: promise)
    }

    /// When the last byte is sent: half-close, and drop what still comes until the client closes. A close with unread bytes would reset
    /// the connection, and the client would lose the answer.
    private func linger(_ context: ChannelHandlerContext) {
        guard !inputClosed, context.channel.isActive else { return context.close(promise: nil) }
        ending = .lingering(until: .now() + seconds(limits.lingerSeconds))
        context.close(mode: .output, promise: nil)
        reportProgress()
        arm(context)
        context.read()
    }
}
