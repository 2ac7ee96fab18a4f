import DiaryRedis
import Logging
import TestServers
import TestSupport

extension RedisClient {
    static func to(_ redis: PrivateRedis, options: RedisOptions = RedisOptions()) throws -> RedisClient {
        RedisClient(endpoint: try RedisEndpoint(url: redis.url), options: options, logger: .quiet)
    }
}
