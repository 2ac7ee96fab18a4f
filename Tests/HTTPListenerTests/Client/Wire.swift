import NIOCore
import NIOPosix
import WireFormats

package enum WireError: Error { case ended, tooLate, unreadable(String) }

/// A client that sends exactly the bytes it is told.
package actor Wire {
    private let channel: any Channel
    private var pieces: AsyncStream<ByteBuffer>.AsyncIterator
    private var pending: [UInt8] = []
    private var ended = false

    /// - Parameters:
    ///   - reads: false leaves every byte of the server in the socket.
    ///   - address: the client's own.
    package static func open(_ port: Int, reads: Bool = true, from address: String = "127.0.0.1") async throws -> Wire {
        let (stream, source) = AsyncStream.makeStream(of: ByteBuffer.self)
        let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .bind(to: try SocketAddress(ipAddress: address, port: 0))
            .channelOption(.autoRead, value: reads)
            .channelOption(.allowRemoteHalfClosure, value: false)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture { try channel.pipeline.syncOperations.addHandler(Inbox(source: source)) }
            }
            .connect(host: "127.0.0.1", port: port).get()
        return Wire(channel: channel, stream: stream)
    }

    private init(channel: any Channel, stream: AsyncStream<ByteBuffer>) {
        self.channel = channel
        pieces = stream.makeAsyncIterator()
    }

    package func send(_ text: String) async throws { try await send(Array(text.utf8)) }

    package func send(_ bytes: [UInt8]) async throws { try await channel.writeAndFlush(ByteBuffer(bytes: bytes)).get() }

    /// Sends without caring whether the server still listens.
    package func push(_ text: String) { push(Array(text.utf8)) }

    package func push(_ bytes: [UInt8]) { channel.writeAndFlush(ByteBuffer(bytes: bytes), promise: nil) }

    /// Begins to take what was left in the socket.
    package func startReading() async throws { try await channel.setOption(.autoRead, value: true).get() }

    /// Takes one piece of it.
    package func readOnce() { channel.read() }

    package func close() { channel.close(promise: nil) }

    package func closeOutput() async throws { try await channel.close(mode: .output).get() }

    /// The next answer; informational ones are answers too.
    /// - Throws: `tooLate` after twenty seconds without the whole of it.
    package func answer(toHead: Bool = false) async throws -> Answer {
        let result = await deadline(20) { wire in
            do { return Result<Answer, any Error>.success(try await wire.read(toHead: toHead)) } catch { return .failure(error) }
        }
        guard let result else { throw WireError.tooLate }
        return try result.get()
    }

    private func read(toHead: Bool) async throws -> Answer {
        let head = try await take(until: Array("\r\n\r\n".utf8))
        let lines = String(decoding: head, as: UTF8.self).components(separatedBy: "\r\n")
        guard let first = lines.first, first.hasPrefix("HTTP/1."), let status = Int(first.dropFirst(9).prefix(3)) else {
            throw WireError.unreadable(lines.first ?? "")
        }
        let headers = lines.dropFirst().filter { !$0.isEmpty }.map { line in
            let parts = line.split(separator: ":", maxSplits: 1).map { $0.trimmingPrefix(while: { $0 == " " }) }
            return (name: String(parts.first ?? ""), value: String(parts.dropFirst().first ?? ""))
        }
        var answer = Answer(status: status, headers: headers, body: [])
        if toHead || status < 200 || status == 204 || status == 304 { return answer }
        if let length = answer.header("content-length").flatMap({ Int($0) }) {
            answer.body = try await take(count: length)
        } else if answer.header("transfer-encoding") == "chunked" {
            while true {
                let line = String(decoding: try await take(until: [13, 10]).dropLast(2), as: UTF8.self)
                guard let size = Int(line, radix: 16) else { throw WireError.unreadable(line) }
                answer.body += try await take(count: size)
                _ = try await take(count: 2)
                if size == 0 { break }
            }
        } else {
            while await more() {}
            answer.body = pending
            pending = []
        }
        return answer
    }

    /// True when the server ends the connection; bytes that come before are dropped.
    package func ends(within seconds: Double = 10) async -> Bool {
        await deadline(seconds) { wire in
            while await wire.more() {}
            return true
        } ?? false
    }

    package var rest: [UInt8] { pending }

    private func take(count: Int) async throws -> [UInt8] {
        while pending.count < count { guard await more() else { throw WireError.ended } }
        defer { pending.removeFirst(count) }
        return Array(pending.prefix(count))
    }

    private func take(until mark: [UInt8]) async throws -> [UInt8] {
        while true {
            if let end = pending.indices.first(where: { pending[$0...].starts(with: mark) }) {
                return try await take(count: end + mark.count)
            }
            guard await more() else { throw WireError.ended }
        }
    }

    private func more() async -> Bool {
        if ended { return false }
        var reading = pieces
        let piece = await reading.next(isolation: self)
        pieces = reading
        guard let piece else {
            ended = true
            return false
        }
        pending += Array(buffer: piece)
        return true
    }

    private func deadline<Value: Sendable>(_ seconds: Double, _ work: @escaping @Sendable (isolated Wire) async -> Value) async -> Value? {
        await withTaskGroup(of: Value?.self) { group in
            group.addTask { await work(self) }
            group.addTask {
                try? await Task.sleep(for: .seconds(seconds))
                return nil
            }
            let first = await group.next() ?? nil
            if first == nil { channel.close(promise: nil) }
            group.cancelAll()
            return first
        }
    }
}

private final class Inbox: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    let source: AsyncStream<ByteBuffer>.Continuation

    init(source: AsyncStream<ByteBuffer>.Continuation) { self.source = source }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) { source.yield(unwrapInboundIn(data)) }
    func channelInactive(context: ChannelHandlerContext) { source.finish() }
    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        source.finish()
        context.close(promise: nil)
    }
}

extension String {
    fileprivate func components(separatedBy separator: String) -> [String] {
        var parts: [String] = []
        var rest = Substring(self)
        while let range = rest.firstRange(of: separator) {
            parts.append(String(rest[..<range.lowerBound]))
            rest = rest[range.upperBound...]
        }
        return parts + [String(rest)]
    }
}
