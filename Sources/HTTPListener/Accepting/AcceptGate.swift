import Logging
import NIOCore
import NIOPosix

/// Sent to the listening channel to close it.
struct StopListening: Sendable {}

/// On the listening channel: registers new connections, pauses accepting at a cap or without descriptors, and on stopping accepts what is
/// in the kernel's queue before it closes.
final class AcceptGate: ChannelDuplexHandler {
    typealias InboundIn = any Channel
    typealias InboundOut = any Channel
    typealias OutboundIn = Never
    typealias OutboundOut = Never

    private enum Phase {
        case open
        /// Accepts what is in the queue, then closes.
        case draining
        /// Accepts nothing more; closes when all accepted connections are active.
        case closing
    }

    private let table: ConnectionTable
    private let drainsQueue: Bool
    private let logger: Logger
    private var phase = Phase.open
    private var acceptedSince = 0
    private var notBefore = NIODeadline.uptimeNanoseconds(0)
    private var drainsUntil = NIODeadline.distantFuture
    private var pollsLeft = 50
    private var isWaiting = false
    private var lastLogged = NIODeadline.uptimeNanoseconds(0)

    /// - Parameter drainsQueue: false when the socket, and with it its queue, outlives this process.
    init(table: ConnectionTable, drainsQueue: Bool, logger: Logger) {
        self.table = table
        self.drainsQueue = drainsQueue
        self.logger = logger
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        acceptedSince += 1
        table.admit(unwrapInboundIn(data))
        context.fireChannelRead(data)
    }

    func read(context: ChannelHandlerContext) {
        switch phase {
        case .closing: return
        case .draining: context.read()
        case .open:
            guard !isWaiting else { return }
            if NIODeadline.now() >= notBefore, !table.isFull { return context.read() }
            isWaiting = true
            let here = NIOLoopBound((gate: self, context: context), eventLoop: context.eventLoop)
            context.eventLoop.scheduleTask(in: .milliseconds(20)) {
                let (gate, context) = here.value
                gate.isWaiting = false
                gate.read(context: context)
            }
        }
    }

    /// Out of descriptors or memory: the connection stays in the queue. NIO closes the channel on any worse error.
    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        let now = NIODeadline.now()
        if now >= lastLogged + .seconds(10) {
            lastLogged = now
            logger.error("accept failed", metadata: ["errno": .stringConvertible((error as? IOError)?.errnoCode ?? 0)])
        }
        guard error is IOError else { return }
        notBefore = now + .milliseconds(50)
        table.evict()
    }

    func triggerUserOutboundEvent(context: ChannelHandlerContext, event: Any, promise: EventLoopPromise<Void>?) {
        guard event is StopListening else { return context.triggerUserOutboundEvent(event, promise: promise) }
        promise?.succeed(())
        guard case .open = phase else { return }
        phase = drainsQueue ? .draining : .closing
        if drainsQueue {
            context.read()
            // Time for handshakes under way.
            notBefore = .now() + .milliseconds(100)
            drainsUntil = .now() + .seconds(1)
        }
        poll(NIOLoopBound((gate: self, context: context), eventLoop: context.eventLoop))
    }

    /// The event loop polls its sockets before each of its tasks. When nothing was accepted since the last one and no connection is
    /// between accept and active, the listener closes in the same task.
    private func poll(_ here: NIOLoopBound<(gate: AcceptGate, context: ChannelHandlerContext)>) {
        acceptedSince = 0
        here.eventLoop.scheduleTask(in: .milliseconds(2)) {
            let (gate, context) = here.value
            // Stops draining at the deadline even if clients keep connecting. Counts polls as well, because a blocked loop accepted
            // nothing meanwhile.
            gate.pollsLeft -= 1
            if NIODeadline.now() >= gate.drainsUntil, gate.pollsLeft <= 0 { gate.phase = .closing }
            let isQuiet = gate.acceptedSince == 0 && !gate.table.hasActivating
            if isQuiet, !gate.drainsQueue || NIODeadline.now() >= gate.notBefore { return context.close(promise: nil) }
            gate.poll(here)
        }
    }
}

@available(*, unavailable)
extension AcceptGate: Sendable {}
