import Logging
import NIOCore
import NIOPosix

/// Told to a listener that shall end.
struct StopListening: Sendable {}

/// On the listening channel: counts who comes, waits when there is no room or no descriptor, and ends without forgetting anybody who
/// already stands in the kernel's queue.
final class AcceptGate: ChannelDuplexHandler {
    typealias InboundIn = any Channel
    typealias InboundOut = any Channel
    typealias OutboundIn = Never
    typealias OutboundOut = Never

    private enum Phase {
        case open
        /// Takes what is in the queue, then closes.
        case draining
        /// Takes nothing more; closes when those it took are ready.
        case leaving
    }

    private let table: ConnectionTable
    private let drainsQueue: Bool
    private let logger: Logger
    private var phase = Phase.open
    private var acceptedSince = 0
    private var notBefore = NIODeadline.uptimeNanoseconds(0)
    private var drainsUntil = NIODeadline.distantFuture
    private var looksLeft = 50
    private var isWaiting = false
    private var complained = NIODeadline.uptimeNanoseconds(0)

    /// - Parameter drainsQueue: false when the socket outlives us, and with it its queue.
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
        case .leaving: return
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

    /// Out of descriptors or memory: nothing is lost, the client waits in the queue. Anything worse closes the channel by itself.
    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        let now = NIODeadline.now()
        if now >= complained + .seconds(10) {
            complained = now
            logger.error("accept failed", metadata: ["errno": "\((error as? IOError)?.errnoCode ?? 0)"])
        }
        guard error is IOError else { return }
        notBefore = now + .milliseconds(50)
        table.evict()
    }

    func triggerUserOutboundEvent(context: ChannelHandlerContext, event: Any, promise: EventLoopPromise<Void>?) {
        guard event is StopListening else { return context.triggerUserOutboundEvent(event, promise: promise) }
        promise?.succeed(())
        guard case .open = phase else { return }
        phase = drainsQueue ? .draining : .leaving
        if drainsQueue {
            context.read()
            // Handshakes under way may still end.
            notBefore = .now() + .milliseconds(100)
            drainsUntil = .now() + .seconds(1)
        }
        pass(NIOLoopBound((gate: self, context: context), eventLoop: context.eventLoop))
    }

    /// The event loop looks at its sockets before each of its tasks. When it has found nobody in the queue and nobody is between accept
    /// and ready, the listener closes in the same task.
    private func pass(_ here: NIOLoopBound<(gate: AcceptGate, context: ChannelHandlerContext)>) {
        acceptedSince = 0
        here.eventLoop.scheduleTask(in: .milliseconds(2)) {
            let (gate, context) = here.value
            // Where incomings do not end. By looks too: while the loop stood still nobody was taken from the queue.
            gate.looksLeft -= 1
            if NIODeadline.now() >= gate.drainsUntil, gate.looksLeft <= 0 { gate.phase = .leaving }
            let isQuiet = gate.acceptedSince == 0 && !gate.table.hasArriving
            if isQuiet, !gate.drainsQueue || NIODeadline.now() >= gate.notBefore { return context.close(promise: nil) }
            gate.pass(here)
        }
    }
}

@available(*, unavailable)
extension AcceptGate: Sendable {}
