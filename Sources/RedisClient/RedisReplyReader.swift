import CHiredis
import NIOCore

/// RESP2 replies out of a byte stream; owns one hiredis reader. hiredis 0.14 nests up to 7 arrays.
/// After the first error it is dead, and so is its connection.
final class RedisReplyReader {
    /// A reply's bytes on the wire.
    let maximumReply: Int
    private let reader: UnsafeMutablePointer<redisReader>
    /// Bytes fed that no complete reply has accounted for.
    private var unaccounted = 0
    private var isDead = false

    /// - Returns: nil when memory is short.
    init?(maximumReply: Int) {
        guard let reader = redisReaderCreateWithFunctions(RedisReplyNode.functions) else { return nil }
        self.reader = reader
        self.maximumReply = maximumReply
    }

    deinit { redisReaderFree(reader) }

    func feed(_ buffer: ByteBuffer) throws(RedisError) {
        guard !isDead else { throw .protocolError }
        unaccounted += buffer.readableBytes
        let status = buffer.withUnsafeReadableBytes { raw in
            redisReaderFeed(reader, raw.baseAddress?.assumingMemoryBound(to: CChar.self), raw.count)
        }
        guard status == REDIS_OK else { throw die() }
    }

    /// The next complete reply; nil when more bytes are needed.
    func next() throws(RedisError) -> RedisValue? {
        guard !isDead else { throw .protocolError }
        var reply: UnsafeMutableRawPointer?
        guard redisReaderGetReply(reader, &reply) == REDIS_OK else { throw die() }
        guard let reply else {
            guard unaccounted <= maximumReply else { throw die() }
            return nil
        }
        unaccounted = max(0, reader.pointee.len - reader.pointee.pos)
        return Unmanaged<RedisReplyNode>.fromOpaque(reply).takeRetainedValue().value
    }

    private func die() -> RedisError {
        isDead = true
        return .protocolError
    }
}
