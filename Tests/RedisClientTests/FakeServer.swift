import DiaryQueue
import Logging
import NIOCore
import NIOPosix
import TestServers

let quiet = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

extension RedisClient {
    static func to(_ redis: PrivateRedis, options: RedisOptions = RedisOptions()) throws -> RedisClient {
        RedisClient(endpoint: try RedisEndpoint(url: redis.url), options: options, logger: quiet)
    }
}

/// Looks again every few milliseconds; false when the deadline passes first.
func eventually(within deadline: Duration = .seconds(10), _ condition: () async throws -> Bool) async rethrows -> Bool {
    let end = ContinuousClock.now + deadline
    while ContinuousClock.now < end {
        if try await condition() { return true }
        try? await Task.sleep(for: .milliseconds(5))
    }
    return false
}

func seconds(_ work: () async throws -> Void) async rethrows -> Double {
    let took = try await ContinuousClock().measure { try await work() }
    return Double(took.components.seconds) + Double(took.components.attoseconds) * 1e-18
}

/// A server that answers whatever it is sent with the same bytes.
struct FakeServer {
    let port: Int
    private let channel: any Channel

    static func answering(_ reply: String) async throws -> FakeServer {
        let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture { try channel.pipeline.syncOperations.addHandler(Answer(reply)) }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        return FakeServer(port: channel.localAddress?.port ?? 0, channel: channel)
    }

    func close() async throws { try await channel.close() }

    private final class Answer: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        typealias OutboundOut = ByteBuffer
        private let reply: String
        init(_ reply: String) { self.reply = reply }
        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: reply)), promise: nil)
        }
    }
}
