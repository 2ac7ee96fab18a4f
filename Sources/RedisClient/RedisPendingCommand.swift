import NIOCore

/// A formatted command; `complete` is called exactly once.
struct RedisPendingCommand: Sendable {
    let bytes: ByteBuffer
    let deadline: NIODeadline
    let complete: RedisCompletion
}

package typealias RedisCompletion = @Sendable (Result<RedisValue, RedisError>) -> Void
