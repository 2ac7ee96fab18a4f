import DiaryCore
import RedisClient

/// Names of the streams: `<prefix><kind>`.
struct SignalStreams: Sendable {
    let prefix: String
    let group: RedisArgument

    func key(_ kind: JobKind) -> RedisArgument { RedisArgument(prefix + kind.rawValue) }

    func kind(_ key: [UInt8]) -> JobKind? {
        JobKind.allCases.first { self.key($0).bytes == key }
    }
}
