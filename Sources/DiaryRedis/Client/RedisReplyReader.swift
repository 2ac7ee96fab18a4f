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

/// The objects that hiredis builds replies from. The root is retained for hiredis; a child is retained by its parent alone.
final class RedisReplyNode {
    /// Larger arrays are refused before memory is allocated for them.
    static let maximumElements: Int32 = 1_000_000

    private let leaf: RedisValue?
    private var items: [RedisReplyNode] = []

    private init(_ leaf: RedisValue?) { self.leaf = leaf }

    var value: RedisValue { leaf ?? .array(items.map(\.value)) }

    /// The table outlives every reader: hiredis keeps its address.
    nonisolated(unsafe) static let functions: UnsafeMutablePointer<redisReplyObjectFunctions> = {
        let table = UnsafeMutablePointer<redisReplyObjectFunctions>.allocate(capacity: 1)
        table.initialize(
            to: redisReplyObjectFunctions(
                createString: { task, text, length in
                    let bytes = UnsafeRawBufferPointer(start: text, count: length)
                    return switch task?.pointee.type {
                    case REDIS_REPLY_STATUS: RedisReplyNode.add(.status(String(decoding: bytes, as: UTF8.self)), task)
                    case REDIS_REPLY_ERROR: RedisReplyNode.add(.error(code: RedisError.code(of: bytes)), task)
                    default: RedisReplyNode.add(.bytes(Array(bytes)), task)
                    }
                },
                createArray: { task, count in count > RedisReplyNode.maximumElements ? nil : RedisReplyNode.add(nil, task) },
                createInteger: { task, number in RedisReplyNode.add(.int(number), task) },
                createNil: { task in RedisReplyNode.add(.null, task) },
                freeObject: { object in
                    if let object { Unmanaged<RedisReplyNode>.fromOpaque(object).release() }
                }))
        return table
    }()

    private static func add(_ leaf: RedisValue?, _ task: UnsafePointer<redisReadTask>?) -> UnsafeMutableRawPointer? {
        let node = RedisReplyNode(leaf)
        guard let parent = task?.pointee.parent else { return Unmanaged.passRetained(node).toOpaque() }
        guard let object = parent.pointee.obj else { return nil }
        Unmanaged<RedisReplyNode>.fromOpaque(object).takeUnretainedValue().items.append(node)
        return Unmanaged.passUnretained(node).toOpaque()
    }
}
