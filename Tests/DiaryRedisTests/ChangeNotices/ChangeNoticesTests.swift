import DiaryRedis
import Foundation
import Logging
import TestServers
import TestSupport
import Testing

@Suite("Change notices", .timeLimit(.minutes(1)))
struct ChangeNoticesTests {
    private static func listener(to redis: PrivateRedis, _ refresh: [ChangeTopic: @Sendable () async -> Void]) throws -> ChangeNotices {
        ChangeNotices(endpoint: try RedisEndpoint(url: redis.url), every: .seconds(30), logger: .quiet, refresh: refresh)
    }

    @Test("a notice reaches each process long before the interval ends, also after Redis was wiped")
    func heard() async throws {
        let redis = try await PrivateRedis.start()
        let client = try RedisClient.to(redis)
        let (tenants, keys) = (Counter(), Counter())
        let listeners = [
            try Self.listener(to: redis, [.tenants: { tenants.add() }]), try Self.listener(to: redis, [.signingKeys: { keys.add() }]),
        ]
        let running = Task {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for listener in listeners { group.addTask { try await listener.run() } }
                try await group.waitForAll()
            }
        }
        defer { running.cancel() }
        // At the start, and once more when the position is known.
        #expect(await eventually { tenants.count == 2 && keys.count == 2 })

        try await ChangeNotices.publish(.tenants, on: client)
        let first = await eventually { tenants.count == 3 }
        let others = keys.count
        _ = try await client.send("FLUSHALL")
        let again = tenants.count
        let second = try await eventually {
            try await ChangeNotices.publish(.tenants, on: client)
            return tenants.count > again
        }

        #expect(first && second)
        #expect(others == 2)
    }

    @Test("what changes while a process starts is read although its notice came too early")
    func early() async throws {
        let redis = try await PrivateRedis.start()
        let client = try RedisClient.to(redis)
        let counter = Counter()
        let listener = try Self.listener(
            to: redis,
            [
                .tenants: {
                    if counter.count == 0 { try? await ChangeNotices.publish(.tenants, on: client) }
                    counter.add()
                }
            ])
        let running = Task { try await listener.run() }
        defer { running.cancel() }

        #expect(await eventually { counter.count == 2 })
    }

    @Test("without Redis everything is read again at the interval")
    func polled() async throws {
        let counter = Counter()
        let listener = ChangeNotices(
            endpoint: try RedisEndpoint(url: "redis+unix:///tmp/no-such-redis.sock"), every: .seconds(1), logger: .quiet,
            refresh: [.tenants: { counter.add() }])
        let running = Task { try await listener.run() }
        defer { running.cancel() }

        #expect(await eventually { counter.count >= 3 })
    }
}
