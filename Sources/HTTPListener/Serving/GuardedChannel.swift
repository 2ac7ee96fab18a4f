import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP1
import NIOHTTPTypes
import NIOHTTPTypesHTTP1
import Synchronization

extension ChannelOption where Self == ChannelOptions.Types.SocketOption {
    /// TCP_NOTSENT_LOWAT (tcp(7)).
    static var notSentLowWater: Self { .tcpOption(.init(rawValue: 25)) }
}

/// Hummingbird's HTTP/1 channel with a `HeadScanner` before the parser and an `ExchangeGuard` behind it.
struct GuardedChannel: ServerChildChannel, HTTPChannelHandler {
    typealias Value = NIOAsyncChannel<HTTPRequestPart, HTTPResponsePart>

    let responder: HTTPChannelHandler.Responder
    let application: any HTTPApplication
    let limits: ListenerLimits
    let table: ConnectionTable

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        channel.eventLoop.makeCompletedFuture {
            let connection = ConnectionState()
            let tracked = table.connection(of: channel)
            // Bytes that the kernel holds for a slow reader count nowhere else; there is no such option on a Unix socket.
            try? channel.syncOptions?.setOption(.notSentLowWater, value: .init(limits.notSentBytes))
            // The parser's limits lie above the scanner's, whose refusals are answered; trailers are limited by the parser alone.
            var parsing = NIOHTTPDecoderLimitConfiguration()
            parsing.maxHeaderFieldSize = max(limits.headerBytes, limits.uriBytes) + 1024
            parsing.maxHeaderListSize = limits.headerBytes + limits.uriBytes + 1024
            parsing.maxHeaderFieldCount = limits.headerCount + 1
            let pipeline = channel.pipeline.syncOperations
            try pipeline.addHandler(HeadScanner(limits: limits, connection: connection))
            try pipeline.configureHTTPServerPipeline(
                withPipeliningAssistance: false, withErrorHandling: false, withOutboundHeaderValidation: false,
                withEncoderConfiguration: .init(),
                withDecoderLimitConfiguration: parsing)
            try pipeline.addHandler(
                ExchangeGuard(limits: limits, connection: connection, tracked: tracked, table: table, application: application))
            try pipeline.addHandler(HTTP1ToHTTPServerCodec(secure: false))
            return try NIOAsyncChannel(wrappingChannelSynchronously: channel, configuration: .init(isOutboundHalfClosureEnabled: true))
        }
    }

    func handle(value: Value, logger: Logger) async {
        await withTaskExecutorPreference(LoopExecutor.of(value.channel.eventLoop)) { await handleHTTP(asyncChannel: value, logger: logger) }
    }
}

/// Runs the tasks of a connection on the event loop that reads and writes it, so that a request changes threads only where it waits for
/// another one (the database's). On the shared pool every step between socket and handler woke a thread (docs/performance.md).
final class LoopExecutor: TaskExecutor {
    private let loop: any EventLoop

    private init(_ loop: any EventLoop) { self.loop = loop }

    func enqueue(_ job: consuming ExecutorJob) {
        // `UnownedJob` is unsafe by its type only: the job is run once, as an executor must.
        let job = UnownedJob(job)
        loop.execute { [self] in unsafe job.runSynchronously(on: asUnownedTaskExecutor()) }
    }

    /// One for each loop, kept until the process ends: tasks hold their executor unowned.
    static func of(_ loop: any EventLoop) -> LoopExecutor {
        known.withLock { known in
            if let executor = known[ObjectIdentifier(loop)] { return executor }
            let executor = LoopExecutor(loop)
            known[ObjectIdentifier(loop)] = executor
            return executor
        }
    }

    private static let known = Mutex<[ObjectIdentifier: LoopExecutor]>([:])
}
