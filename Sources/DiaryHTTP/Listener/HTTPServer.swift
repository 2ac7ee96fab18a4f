package import Hummingbird
import HummingbirdCore
package import Logging
package import NIOCore
import NIOPosix

/// Where a server listens.
package enum ListenAddress: Sendable, Equatable {
    /// Port 0 takes a free one.
    case tcp(host: String, port: Int)
    /// At most 107 bytes of path.
    case unix(path: String)
}

package enum HTTPServer {
    /// The service that serves `table`; runs until its service group stops it, and then lets requests in flight finish.
    /// - Parameter onBound: called once, with the port that was bound (nil on a Unix socket).
    package static func make(
        _ table: RouteTable, at address: ListenAddress, services: HTTPServices, logger: Logger,
        threads: any EventLoopGroup = MultiThreadedEventLoopGroup.singleton,
        onBound: @escaping @Sendable (Int?) async -> Void = { _ in }
    ) -> Application<Dispatcher> {
        let bind: BindAddress =
            switch address {
            case .tcp(let host, let port): .hostname(host, port: port)
            case .unix(let path): .unixDomainSocket(path: path)
            }
        return Application(
            responder: Dispatcher(table: table, services: services),
            server: HTTPServerBuilder { GuardedChannel(responder: $0, services: services) },
            configuration: ApplicationConfiguration(
                address: bind, backlog: 1024, availableConnectionsDelegate: .maximum(services.limits.connections, logger: logger)),
            onServerRunning: { channel in await onBound(channel.localAddress?.port) },
            eventLoopGroupProvider: .shared(threads),
            logger: logger)
    }
}
