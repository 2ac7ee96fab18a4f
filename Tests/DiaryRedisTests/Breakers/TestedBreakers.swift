import TestServers
import TestSupport
import Testing

@testable import DiaryCore
@testable import DiaryRedis

/// The breakers that pass the same tests. Those of Redis take its clock, so waits are parts of a second here.
enum TestedBreakers: CaseIterable {
    case local, redis, redisAway

    static let policy = BreakerPolicy(baseSeconds: 0.4, capSeconds: 0.8, refusedSeconds: 0.4)

    func run(_ policy: BreakerPolicy = policy, _ body: (any EngineBreakers) async throws -> Void) async throws {
        switch self {
        case .local: try await body(LocalBreakers(policy, jitter: { 1 }))
        case .redis:
            let redis = try await PrivateRedis.start()
            let client = try RedisClient.to(redis)
            #expect(await client.ping())
            try await body(RedisBreakers(client: client, policy, jitter: { 1 }))
        case .redisAway:
            let client = RedisClient(endpoint: RedisEndpoint(address: .unixSocket(path: "/nowhere/s")), logger: .quiet)
            try await body(RedisBreakers(client: client, policy, local: LocalBreakers(policy, jitter: { 1 }), jitter: { 1 }))
        }
    }
}
