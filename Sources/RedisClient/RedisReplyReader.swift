import CHiredis
import NIOCore

/// Reads RESP2 replies from a byte stream; owns one hiredis reader. hiredis 0.14 nests up to 7 arrays.
/// After the first error it refuses everything, and its connection is closed.
final class RedisReplyReader {
    /// Bytes of one reply on the wire.
    let maximumReply: Int
    private let reader: UnsafeMutablePointer<redisReader>
    /// Bytes fed that do not belong to a complete reply yet.
    private var incomplete = 0
    private var hasFailed = false

    /// - Returns: nil when memory is short.
    init?(maximumReply: Int) {
        guard let reader = redisReaderCreateWithFunctions(RedisReplyNode.functions) else { return nil }
        self.reader = reader
        self.maximumReply = maximumReply
    }

    deinit { redisReaderFree(reader) }

    func feed(_ buffer: ByteBuffer) throws(RedisError) {
        guard !hasFailed else { throw .protocolError }
        incomplete += buffer.readableBytes
        let status = buffer.withUnsafeReadableBytes { raw in
            redisReaderFeed(reader, raw.baseAddress?.assumingMemoryBound(to: CChar.self), raw.count)
        }
        guard status == REDIS_OK else { throw fail() }
    }

    /// The next complete reply; nil when more bytes are needed.
    func next() throws(RedisError) -> RedisValue? {
        guard !hasFailed else { throw .protocolError }
        var reply: UnsafeMutableRawPointer?
        guard redisReaderGetReply(reader, &reply) == REDIS_OK else { throw fail() }
        guard let reply else {
            guard incomplete <= maximumReply else { throw fail() }
            return nil
        }
        incomplete = max(0, reader.pointee.len - reader.pointee.pos)
        return Unmanaged<RedisReplyNode>.fromOpaque(reply).takeRetainedValue().value
    }

    private func fail() -> RedisError {
        hasFailed = true
        return .protocolError
    }
}
