import DiaryCore
import RedisClient

/// Names of the streams: `<prefix><kind>`.
struct SignalStreams: Sendable {
    let prefix: String
    let group: RedisArgument

    func key(_ kind: JobKind) -> RedisArgument { RedisArgument(prefix + kind.rawValue) }

    func kind(_ key: [UInt8]) -> JobKind? {
        guard key.starts(with: prefix.utf8) else { return nil }
        return JobKind(rawValue: String(decoding: key.dropFirst(prefix.utf8.count), as: UTF8.self))
    }
}
