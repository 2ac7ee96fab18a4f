import DiaryTesting
import Foundation
import TestServers
import TestSupport
import Testing

@testable import DiaryCore
@testable import DiaryRedis

/// What every `RateLimiter` does.
@Suite struct RateLimiterConformanceTests {
    /// Slow enough that nothing comes back during a test.
    private let slow = RatePolicy(name: "entries", shape: .rate(limit: 1, window: 3600, burst: 10))
    private let daily = RatePolicy(name: "entries", shape: .quota(limit: 5, window: 86_400))

    @Test("F6: a burst passes exactly, then calls are refused", arguments: TestedRateLimiter.allCases)
    func burst(kind: TestedRateLimiter) async throws {
        try await kind.run { limiter in
            var verdicts: [RateVerdict] = []
            for _ in 0..<15 { verdicts += await limiter.charge([slow], subject: "a") }

            #expect(verdicts.map(\.allowed) == Array(repeating: true, count: 10) + Array(repeating: false, count: 5))
            #expect(verdicts.map(\.remaining) == [9, 8, 7, 6, 5, 4, 3, 2, 1, 0, 0, 0, 0, 0, 0])
            #expect(verdicts.prefix(10).allSatisfy { $0.retryAfterSeconds == 0 })
            #expect(verdicts.suffix(5).allSatisfy { (3595...3600).contains($0.retryAfterSeconds) })
            #expect(verdicts.first.map { (3595...3600).contains($0.resetSeconds) } == true)
            #expect(verdicts.last.map { (35_990...36_000).contains($0.resetSeconds) } == true)
            #expect(await limiter.charge([slow], subject: "b").first?.remaining == 9)
        }
    }

    @Test("calls that are charged together pass together or not at all, and are refunded together", arguments: TestedRateLimiter.allCases)
    func together(kind: TestedRateLimiter) async throws {
        try await kind.run { limiter in
            let imports = RatePolicy(name: "imports", shape: .rate(limit: 2_000, window: 86_400, burst: 1_000))
            func charge(_ count: Int) async -> RateVerdict? {
                await limiter.charge([imports.counting(count)], subject: "a").first
            }
            for batch in 1...9 {
                let verdict = await charge(100)
                #expect(verdict?.allowed == true && verdict?.remaining == 1_000 - batch * 100)
            }
            #expect(await charge(101)?.allowed == false)
            #expect(await charge(99)?.allowed == true)
            #expect(await charge(1)?.allowed == true)
            let refused = await charge(100)
            // 100 of 2,000 a day come back within 72 minutes.
            #expect(refused?.allowed == false && refused.map { (4_300...4_320).contains($0.retryAfterSeconds) } == true)

            await limiter.refund([imports.counting(60)], subject: "a")
            #expect(await charge(61)?.allowed == false)
            #expect(await charge(60)?.allowed == true)
        }
    }

    @Test("F6: a network's limit counts the calls of all its addresses, each of which has its own", arguments: TestedRateLimiter.allCases)
    func network(kind: TestedRateLimiter) async throws {
        try await kind.run { limiter in
            let policy = RatePolicy(name: "entries", shape: .rate(limit: 1, window: 3600, burst: 2))
            func charge(_ subject: String) async -> [RateVerdict] { await limiter.charge([policy, policy.ofNetwork], subject: subject) }

            #expect(await charge("n/a").map(\.remaining) == [1, 31])
            #expect(await charge("n/a").map(\.remaining) == [0, 30])
            #expect(await charge("n/a").map(\.allowed) == [false, true], "its own is used up")
            var passed = 2
            for number in 0..<40 where await charge("n/\(number)").allSatisfy(\.allowed) { passed += 1 }
            #expect(passed == 32)
            #expect(await charge("n/z").map(\.allowed) == [true, false], "the network's is used up")
            #expect(await charge("m/a").map(\.remaining) == [1, 31], "another network has its own, and so has an address of the same name")
        }
    }

    @Test("F6: a steady stream gets its rate", arguments: TestedRateLimiter.allCases)
    func rate(kind: TestedRateLimiter) async throws {
        try await kind.run { limiter in
            let policy = RatePolicy(name: "steady", shape: .rate(limit: 50, window: 1, burst: 5))
            // As long as it takes for 60 to pass: the machine's pauses stretch the time, not the rate.
            let started = ContinuousClock.now
            var passed = 0
            while passed < 60, started.duration(to: .now) < .seconds(30) {
                if await limiter.charge([policy], subject: "a").allSatisfy(\.allowed) { passed += 1 }
                await Task.yield()
            }
            let took = started.duration(to: .now) / .seconds(1)

            #expect(passed == 60)
            // 5 at once, then 50 a second.
            #expect(took >= 55.0 / 50 - 0.05)
        }
    }

    @Test("a quota counts its window and starts again with the next", arguments: TestedRateLimiter.allCases)
    func quota(kind: TestedRateLimiter) async throws {
        try await kind.run { limiter in
            let policy = RatePolicy(name: "exports", shape: .quota(limit: 3, window: 2))
            // Begin early in a window.
            #expect(await eventually { Date().timeIntervalSince1970.truncatingRemainder(dividingBy: 2) < 0.2 })
            var verdicts: [RateVerdict] = []
            for _ in 0..<5 { verdicts += await limiter.charge([policy], subject: "a") }

            #expect(verdicts.map(\.allowed) == [true, true, true, false, false])
            #expect(verdicts.map(\.remaining) == [2, 1, 0, 0, 0])
            #expect(verdicts.map(\.retryAfterSeconds) == [0, 0, 0, 2, 2])
            #expect(verdicts.allSatisfy { $0.resetSeconds == 2 })

            #expect(await eventually(within: .seconds(4)) { await limiter.charge([policy], subject: "a").allSatisfy(\.allowed) })
            #expect(Date().timeIntervalSince1970.truncatingRemainder(dividingBy: 2) < 0.3)
        }
    }

    @Test("a daily quota ends at midnight UTC", arguments: TestedRateLimiter.allCases)
    func midnight(kind: TestedRateLimiter) async throws {
        try await kind.run { limiter in
            let left = 86_400 - Date().timeIntervalSince1970.truncatingRemainder(dividingBy: 86_400)
            let reset = try #require(await limiter.charge([daily], subject: "a").first?.resetSeconds)

            #expect(abs(Double(reset) - left) < 3)
        }
    }

    @Test("all policies are charged or none", arguments: TestedRateLimiter.allCases)
    func allOrNone(kind: TestedRateLimiter) async throws {
        try await kind.run { limiter in
            var verdicts: [[RateVerdict]] = []
            for _ in 0..<8 { verdicts.append(await limiter.charge([slow, daily], subject: "a")) }

            #expect(verdicts.map { $0.allSatisfy(\.allowed) } == [true, true, true, true, true, false, false, false])
            let last = try #require(verdicts.last)
            #expect(last.map(\.policy) == [slow, daily])
            #expect(last.map(\.allowed) == [true, false])
            #expect(last.map(\.remaining) == [5, 0])
            #expect(last.first?.retryAfterSeconds == 0)
            #expect(await limiter.charge([slow], subject: "a").first?.remaining == 4)
        }
    }

    @Test("a refunded call can be charged again, and no more is refunded than was charged", arguments: TestedRateLimiter.allCases)
    func refunded(kind: TestedRateLimiter) async throws {
        try await kind.run { limiter in
            for _ in 0..<3 { _ = await limiter.charge([slow, daily], subject: "a") }

            await limiter.refund([slow, daily], subject: "a")
            #expect(await limiter.charge([slow, daily], subject: "a").map(\.remaining) == [7, 2])

            await limiter.refund([daily], subject: "a")
            #expect(await limiter.charge([slow, daily], subject: "a").map(\.remaining) == [6, 2])

            for _ in 0..<9 { await limiter.refund([slow, daily], subject: "a") }
            #expect(await limiter.charge([slow, daily], subject: "a").map(\.remaining) == [9, 4])

            await limiter.refund([slow, daily], subject: "unknown")
            #expect(await limiter.charge([slow, daily], subject: "unknown").map(\.remaining) == [9, 4])
            await limiter.refund([], subject: "a")
        }
    }

    @Test("a quota's call of yesterday is not refunded today")
    func yesterday() {
        let limit = PolicyArithmetic(daily.shape)
        let yesterday = PolicyArithmetic.Mark(time: 86_400 * 19_000, count: 3)

        #expect(limit.refunded(yesterday, now: 86_400 * 19_001 + 5).count == 3)
        #expect(limit.refunded(yesterday, now: 86_400 * 19_001 - 5).count == 2)
    }

    @Test("extreme numbers neither trap nor lift a limit", arguments: TestedRateLimiter.allCases)
    func wild(kind: TestedRateLimiter) async throws {
        try await kind.run { limiter in
            let shapes: [(RatePolicy.Shape, Bool)] = [
                (.rate(limit: 0, window: 60, burst: 5), false), (.rate(limit: -1, window: -1, burst: -1), false),
                (.quota(limit: 0, window: 0), false),
                (.quota(limit: .max, window: .max), true), (.rate(limit: .max, window: .max, burst: .max), true),
                (.rate(limit: 1, window: .max, burst: .max), true),
            ]
            for (number, (shape, allowed)) in shapes.enumerated() {
                let policy = RatePolicy(name: "p\(number)", shape: shape)
                let verdict = try #require(await limiter.charge([policy], subject: "{}\r\n\0ü").first)
                #expect(verdict.allowed == allowed, "\(shape)")
                #expect(verdict.remaining >= 0 && verdict.resetSeconds >= 0 && (verdict.retryAfterSeconds == 0) == allowed)
            }
            #expect(await limiter.charge([], subject: "a").isEmpty)
        }
    }
}

@Suite struct RedisRateLimiterTests {
    @Test("F6: four clients at once get one limit, within ten percent")
    func fourClients() async throws {
        let redis = try await PrivateRedis.start()
        let clients = try (0..<4).map { _ in try RedisClient.to(redis) }
        for client in clients { #expect(await client.ping()) }
        let limiters = clients.map { RedisRateLimiter(client: $0) }
        let policy = RatePolicy(name: "p", shape: .rate(limit: 1, window: 3600, burst: 100))

        let passed = await withTaskGroup(of: Int.self) { group in
            for limiter in limiters {
                group.addTask {
                    var passed = 0
                    for _ in 0..<100 where await limiter.charge([policy], subject: "a").allSatisfy(\.allowed) { passed += 1 }
                    return passed
                }
            }
            return await group.reduce(0, +)
        }

        #expect((99...110).contains(passed))
    }

    @Test("F6: keys have the documented name and expire")
    func keys() async throws {
        let redis = try await PrivateRedis.start()
        let limiter = RedisRateLimiter(client: try .to(redis))
        let rate = RatePolicy(name: "entries", shape: .rate(limit: 60, window: 60, burst: 10))
        _ = await limiter.charge([rate, RatePolicy(name: "day", shape: .quota(limit: 9, window: 60))], subject: "s")

        #expect(Set(try await redis.cli("KEYS", "*").split(separator: "\n")) == ["rl:{s}:entries", "rl:{s}:day:quota"])
        _ = await limiter.charge([rate, rate.ofNetwork], subject: "n/a")
        #expect(Set(try await redis.cli("KEYS", "rl:{n}*").split(separator: "\n")) == ["rl:{n}/a:entries", "rl:{n}:entries-48"])
        #expect(["1", "2"].contains(try await redis.cli("TTL", "rl:{s}:entries")))
        #expect((1...61).contains(try #require(Int(try await redis.cli("TTL", "rl:{s}:day:quota")))))
    }

    @Test("F6: a refund keeps the expiry of keys and makes none")
    func refundedKeys() async throws {
        let redis = try await PrivateRedis.start()
        let limiter = RedisRateLimiter(client: try .to(redis))
        let policies = [
            RatePolicy(name: "entries", shape: .rate(limit: 60, window: 60, burst: 10)),
            RatePolicy(name: "day", shape: .quota(limit: 9, window: 86_400)),
        ]
        await limiter.refund(policies, subject: "s")
        #expect(try await redis.cli("KEYS", "*").split(separator: "\n").isEmpty)

        for _ in 0..<2 { _ = await limiter.charge(policies, subject: "s") }
        await limiter.refund(policies, subject: "s")

        #expect(try await redis.cli("GET", "rl:{s}:day:quota").hasSuffix(" 1"))
        #expect((1...2_001).contains(try #require(Int(try await redis.cli("PTTL", "rl:{s}:entries")))))
        #expect((1...86_401).contains(try #require(Int(try await redis.cli("TTL", "rl:{s}:day:quota")))))
    }

    @Test("A4: wiped, frozen, stopped and restarted: calls wait briefly and stay limited")
    func outages() async throws {
        let redis = try await PrivateRedis.start()
        let client = try RedisClient.to(redis)
        let limiter = RedisRateLimiter(client: client)
        let policy = RatePolicy(name: "p", shape: .rate(limit: 1, window: 3600, burst: 5))
        _ = await limiter.charge([policy], subject: "a")

        try await redis.cli("SCRIPT", "FLUSH")
        #expect(await limiter.charge([policy], subject: "a").first?.remaining == 3)

        try await redis.freeze()
        #expect(await seconds { _ = await limiter.charge([policy], subject: "a") } < 0.35)
        try await redis.thaw()
        try await redis.stop()
        var passed = 0
        for _ in 0..<20 where await limiter.charge([policy], subject: "a").allSatisfy(\.allowed) { passed += 1 }
        #expect((4...5).contains(passed))

        try await redis.start()
        #expect(await eventually { await client.ping() })
        #expect(await limiter.charge([policy], subject: "a").first?.remaining == 4)
    }
}

@Suite struct LocalRateLimiterTests {
    @Test("F6: the number of keys is bounded, and a busy key survives a flood")
    func bounded() async {
        let limiter = LocalRateLimiter(maximumKeys: 1000)
        let policy = RatePolicy(name: "p", shape: .quota(limit: 1000, window: 86_400))
        var remaining: Int?
        for number in 0..<10_000 {
            _ = await limiter.charge([policy], subject: "flood\(number)")
            if number % 100 == 0 { remaining = await limiter.charge([policy], subject: "busy").first?.remaining }
        }

        #expect(remaining == 900)
        // A key that is kept is refused. Each is asked for at a limiter of its own, as asking changes which are kept.
        let once = RatePolicy(name: "p", shape: .quota(limit: 1, window: 86_400))
        var kept = 0
        for asked in 0..<200 {
            let limiter = LocalRateLimiter(maximumKeys: 20)
            for number in 0..<200 { _ = await limiter.charge([once], subject: "flood\(number)") }
            if await limiter.charge([once], subject: "flood\(asked)").first?.allowed == false { kept += 1 }
        }
        #expect((10...20).contains(kept))
    }

    @Test("a rate charged every second of a day passes its limit and no more")
    func agreement() async {
        // With a clock of our own, a rate of one per 7.5 s comes back one by one.
        let policy = RatePolicy(name: "p", shape: .rate(limit: 8, window: 60, burst: 2))
        let limit = PolicyArithmetic(policy.shape)
        var mark: PolicyArithmetic.Mark?
        var passed = 0
        for second in 0..<86_400 {
            let outcome = limit.outcome(mark, now: 1_700_000_000 + Double(second), charge: true)
            if outcome.allowed { passed += 1 }
            mark = outcome.mark
        }

        #expect((86_400 / 60 * 8...86_400 / 60 * 8 + 2).contains(passed))
    }
}
