import DiaryCore
import DiaryTesting
import TestServers
import TestSupport
import Testing

@testable import DiaryRedis

/// The limiters that pass the same tests.
enum TestedRateLimiter: CaseIterable {
    case local, redis, redisAway

    func run(_ body: (any RateLimiter) async throws -> Void) async throws {
        switch self {
        case .local: try await body(LocalRateLimiter())
        case .redis:
            let redis = try await PrivateRedis.start()
            let client = try RedisClient.to(redis)
            #expect(await client.ping())
            // A fallback that refuses, so that calls pass only through Redis: it must not count a late reply of a busy machine.
            try await body(RedisRateLimiter(client: client, fallback: RefusingLimiter()))
        case .redisAway:
            let client = RedisClient(endpoint: RedisEndpoint(address: .unixSocket(path: "/nowhere/s")), logger: .quiet)
            try await body(RedisRateLimiter(client: client))
        }
    }
}
