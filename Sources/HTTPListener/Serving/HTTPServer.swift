import Glibc
import HummingbirdCore
package import Logging
import NIOCore
import NIOPosix
import ServiceLifecycle

/// A listener and its connections. Hummingbird reads requests and writes answers; accepting, evicting and stopping are decided here
/// (docs/decisions/0014-slow-clients-and-stopping.md).
package struct HTTPServer: Service {
    private let address: ListenAddress
    private let channel: GuardedChannel
    let table: ConnectionTable
    private let logger: Logger
    private let onBound: @Sendable (Int?) async -> Void

    /// Serves `application` until its service group stops it, and then lets requests in flight finish.
    /// - Parameters:
    ///   - trusted: proxies, whose connections are not counted by address.
    ///   - onBound: called once, with the port that was bound (nil on a Unix socket).
    package init(
        _ application: any HTTPApplication, at address: ListenAddress, limits: ListenerLimits, trusted: TrustedProxies, logger: Logger,
        onBound: @escaping @Sendable (Int?) async -> Void = { _ in }
    ) {
        self.address = address
        self.logger = logger
        self.onBound = onBound
        table = ConnectionTable(limits: limits, trusted: trusted, logger: logger)
        channel = GuardedChannel(
            responder: ApplicationResponder(application: application, table: table).respond, application: application, limits: limits,
            table: table)
    }

    package func run() async throws {
        let (children, source) = AsyncStream.makeStream(of: GuardedChannel.Value.self)
        let listener = try await listen { child in
            if case .terminated = source.yield(child) { child.channel.close(promise: nil) }
        }
        listener.closeFuture.whenComplete { _ in source.finish() }
        logger.info("listening", metadata: Self.place(listener.localAddress))
        await withTaskCancellationHandler {
            await withGracefulShutdownHandler {
                await onBound(listener.localAddress?.port)
                await withDiscardingTaskGroup { group in
                    for await child in children {
                        group.addTask { [channel, logger] in await channel.handle(value: child, logger: logger) }
                    }
                }
            } onGracefulShutdown: {
                table.drain()
                listener.triggerUserOutboundEvent(StopListening(), promise: nil)
            }
        } onCancel: {
            listener.close(promise: nil)
            table.closeAll()
        }
    }

    /// Where it listens: address and port, or the path of the socket.
    private static func place(_ address: SocketAddress?) -> Logger.Metadata {
        guard let port = address?.port else { return ["path": "\(address?.pathname ?? "-")"] }
        return ["address": "\(address?.ipAddress ?? "-")", "port": .stringConvertible(port)]
    }

    private func listen(_ onChild: @escaping @Sendable (GuardedChannel.Value) -> Void) async throws -> any Channel {
        let isOurs = if case .inherited = address { false } else { true }
        let bootstrap = ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.backlog, value: Self.backlog)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .serverChannelOption(.maxMessagesPerRead, value: 16)
            .serverChannelInitializer { [table, logger] server in
                server.eventLoop.makeCompletedFuture {
                    try server.pipeline.syncOperations.addHandler(AcceptGate(table: table, drainsQueue: isOurs, logger: logger))
                }
            }
            .childChannelOption(.allowRemoteHalfClosure, value: true)
            .childChannelInitializer { [channel, logger] child in channel.setup(channel: child, logger: logger).map(onChild) }
        switch address {
        case .tcp(let host, let port): return try await bootstrap.bind(host: host, port: port).get()
        case .unix(let path): return try await bootstrap.bind(unixDomainSocketPath: path, cleanupExistingSocketFile: true).get()
        case .inherited(let descriptor):
            let server = try await bootstrap.withBoundSocket(descriptor).get()
            // NIO has set the length of the queue to its own default.
            _ = Glibc.listen(descriptor, Self.backlog)
            return server
        }
    }

    /// Connections the kernel completes while this process is busy or its successor starts; at most net.core.somaxconn.
    private static let backlog: Int32 = 4096
}

/// Where a server listens.
package enum ListenAddress: Sendable, Equatable {
    /// Port 0 takes a free one.
    case tcp(host: String, port: Int)
    /// At most 107 bytes of path.
    case unix(path: String)
    /// A listening stream socket that another process opened and keeps (systemd.socket(5)): what waits in its queue when this process
    /// ends is for its successor.
    case inherited(descriptor: Int32)
}

/// The event loops that every connection of this process shares.
package enum EventLoops {
    /// Returns when each of them has run a task. While one is blocked it does not return.
    package static func answer() async {
        for loop in MultiThreadedEventLoopGroup.singleton.makeIterator() { try? await loop.submit {}.get() }
    }
}
