import DiaryCore
import HTTPListener
import HummingbirdCore
import NIOCore
import NIOHTTP1

/// A request's body, read once and piece by piece; only a JSON body is collected.
/// An actor, because the connection's iterator must not be shared and reading it suspends.
package actor IncomingBody: ByteStream {
    private let body: RequestBody
    private var iterator: RequestBody.AsyncIterator?
    private var started = false
    private var finished = false
    private var received: Int64 = 0
    private let expected: Int64?
    private let limit: Int64
    private let onStart: @Sendable () -> Void
    private let onCollect: @Sendable () -> Void

    /// - Parameters:
    ///   - onStart: called before the first read, to send `100 Continue`.
    ///   - onCollect: called when a collected body does not come in one piece, to limit its time.
    init(
        _ body: RequestBody, expected: Int64?, limit: Int64, onStart: @escaping @Sendable () -> Void,
        onCollect: @escaping @Sendable () -> Void
    ) {
        self.body = body
        self.expected = expected
        self.limit = limit
        self.onStart = onStart
        self.onCollect = onCollect
    }

    /// The next piece, nil at the end.
    /// - Throws: `DiaryError`: `body_too_large` over the route's limit, `request_timeout` under the rate floor,
    ///   `malformed_request` when the connection ended or failed before the body did.
    package func next() async throws -> [UInt8]? {
        guard !finished else { return nil }
        if !started {
            started = true
            if let expected, expected > limit { throw DiaryError(.bodyTooLarge) }
            if expected != 0 { onStart() }
            iterator = body.makeAsyncIterator()
        }
        guard var reading = iterator else { throw DiaryError(.internalError, cause: "body read by two at once") }
        iterator = nil
        let piece = try await Self.read(&reading)
        iterator = reading
        guard let piece else {
            finished = true
            if let expected, received != expected { throw DiaryError(.malformedRequest, detail: "The body ended too early.") }
            return nil
        }
        received += Int64(piece.readableBytes)
        guard received <= limit else { throw DiaryError(.bodyTooLarge) }
        return Array(buffer: piece)
    }

    private static func read(
        _ iterator: inout RequestBody.AsyncIterator, isolation: isolated (any Actor)? = #isolation
    ) async throws(DiaryError) -> ByteBuffer? {
        do {
            return try await iterator.next(isolation: isolation)
        } catch is BodyTooSlow {
            throw DiaryError(.requestTimeout)
        } catch is HTTPParserError {
            throw DiaryError(.malformedRequest, detail: "The body is not framed as HTTP has it.")
        } catch {
            throw DiaryError(.malformedRequest, cause: "connection ended: \(type(of: error))")
        }
    }

    /// The whole body, within the route's limit.
    func collect() async throws -> [UInt8] {
        var bytes: [UInt8] = []
        while let piece = try await next() {
            if bytes.isEmpty, received != expected { onCollect() }
            bytes += piece
        }
        return bytes
    }
}
