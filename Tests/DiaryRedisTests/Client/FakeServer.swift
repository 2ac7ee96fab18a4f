import NIOCore
import NIOPosix

/// A server that answers everything with the same bytes.
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
