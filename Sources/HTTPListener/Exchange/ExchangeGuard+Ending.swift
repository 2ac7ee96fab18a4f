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

    /// Ends the connection when everything taken is answered.
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

    /// Goes at once, unless a request has come meanwhile; then with its answer.
    func evict(_ context: ChannelHandlerContext) {
        tellStanding()
        if tracked?.waitingSince == nil {
            losesPlace = true
        } else {
            context.close(promise: nil)
        }
    }

    /// A body that broke or is too slow: whoever reads it learns so and answers.
    func breakBody(_ error: any Error, _ context: ChannelHandlerContext) {
        connection.framing = .refused
        guard receiving else { return }
        if case .no = ending { ending = .afterAnswers(nil) }
        pace.stop()
        context.fireErrorCaught(error)
    }

    func conclude(_ refusal: ListenerRefusal?, _ context: ChannelHandlerContext) {
        connection.framing = .refused
        ending = .writing
        guard let refusal else { return linger(context) }
        let response = application.refuse(refusal)
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
        let here = NIOLoopBound((guardian: self, context: context), eventLoop: context.eventLoop)
        written.futureResult.whenComplete { result in
            let (guardian, context) = here.value
            promise?.completeWith(result)
            guard case .success = result else { return context.close(promise: nil) }
            guardian.linger(context)
        }
        context.writeAndFlush(data, promise: written)
        lookAtWaiting(context)
        arm(context)
    }

    /// The application has written all it will. While the last answer is going out the end is ours: where the client has half-closed, the
    /// channel would take this for its whole end and drop what has not gone out.
    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        if case .writing = ending, mode == .output { return promise?.succeed(()) ?? () }
        context.close(mode: mode, promise: promise)
    }

    /// When the last byte has gone out: half-close, and drop what still comes until the client closes. Closing over unread bytes would
    /// reset the connection and take the answer away from the client.
    private func linger(_ context: ChannelHandlerContext) {
        guard !inputClosed, context.channel.isActive else { return context.close(promise: nil) }
        ending = .lingering(until: .now() + seconds(limits.lingerSeconds))
        context.close(mode: .output, promise: nil)
        tellStanding()
        arm(context)
        context.read()
    }
}
