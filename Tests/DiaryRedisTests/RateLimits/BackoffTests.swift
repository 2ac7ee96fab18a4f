import DiaryTesting
import Foundation
import TestServers
import TestSupport
import Testing

@testable import DiaryCore
@testable import DiaryRedis

/// B9, B10: guesses are counted one by one, the wait doubles each time, and the count expires.
@Suite struct BackoffTests {
    private let policy = RatePolicy(name: "guesses", shape: .backoff(free: 5, first: 1, longest: 900))

    /// Nothing comes back during a test.
    private let slow = RatePolicy(name: "guesses", shape: .backoff(free: 5, first: 100, longest: 900))

    @Test("B9: five pass at once, the sixth must wait; success resets the count", arguments: TestedRateLimiter.allCases)
    func refuses(kind: TestedRateLimiter) async throws {
        try await kind.run { limiter in
            var verdicts: [RateVerdict] = []
            for _ in 0..<7 { verdicts += await limiter.charge([slow], subject: "a") }

            #expect(verdicts.map(\.allowed) == [true, true, true, true, true, false, false])
            #expect(verdicts.map(\.remaining) == [4, 3, 2, 1, 0, 0, 0])
            #expect(verdicts.prefix(5).allSatisfy { $0.retryAfterSeconds == 0 })
            #expect(verdicts.suffix(2).allSatisfy { (85...100).contains($0.retryAfterSeconds) })
            #expect(await limiter.charge([slow], subject: "b").first?.remaining == 4)

            await limiter.reset(slow, subject: "a")
            #expect(await limiter.charge([slow], subject: "a").first?.remaining == 4)
        }
    }

    @Test("B9: after the wait one passes, and the next waits twice as long", arguments: TestedRateLimiter.allCases)
    func waits(kind: TestedRateLimiter) async throws {
        try await kind.run { limiter in
            let policy = RatePolicy(name: "guesses", shape: .backoff(free: 1, first: 3, longest: 900))
            let passed = await limiter.charge([policy], subject: "a").first
            let refused = await limiter.charge([policy], subject: "a").first

            #expect(passed?.allowed == true && refused?.allowed == false && (1...3).contains(refused?.retryAfterSeconds ?? 0))
            #expect(await eventually { await limiter.charge([policy], subject: "a").first?.allowed == true })
            #expect(await eventually { (4...6).contains(await limiter.charge([policy], subject: "a").first?.retryAfterSeconds ?? 0) })
        }
    }

    @Test(
        "B9: a refunded guess is not counted: the count is the one before, and the next need not wait",
        arguments: TestedRateLimiter.allCases)
    func refunded(kind: TestedRateLimiter) async throws {
        try await kind.run { limiter in
            for _ in 0..<5 { _ = await limiter.charge([slow], subject: "a") }
            #expect(await limiter.charge([slow], subject: "a").first?.allowed == false)

            await limiter.refund([slow], subject: "a")
            #expect(await limiter.charge([slow], subject: "a").first?.allowed == true)
            #expect(await limiter.charge([slow], subject: "a").first?.allowed == false)

            for _ in 0..<9 { await limiter.refund([slow], subject: "a") }
            #expect(await limiter.charge([slow], subject: "a").first?.remaining == 4)
        }
    }

    @Test("B9: a guess refunded after others ends its own wait and not theirs", arguments: TestedRateLimiter.allCases)
    func refundedLater(kind: TestedRateLimiter) async throws {
        try await kind.run { limiter in
            let policy = RatePolicy(name: "guesses", shape: .backoff(free: 1, first: 1, longest: 900))
            for _ in 0..<3 { #expect(await eventually { await limiter.charge([policy], subject: "a").first?.allowed == true }) }

            await limiter.refund([policy], subject: "a")
            #expect(await limiter.charge([policy], subject: "a").first?.allowed == true)
            let refused = await limiter.charge([policy], subject: "a").first
            #expect(refused?.allowed == false && (3...4).contains(refused?.retryAfterSeconds ?? 0))
        }
    }

    @Test("B9: 100 at once are counted each: five pass", arguments: TestedRateLimiter.allCases)
    func atOnce(kind: TestedRateLimiter) async throws {
        try await kind.run { limiter in
            let passed = await withTaskGroup(of: Bool.self) { group in
                for _ in 0..<100 { group.addTask { await limiter.charge([slow], subject: "a").allSatisfy(\.allowed) } }
                return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            }

            #expect(passed == 5)
        }
    }

    @Test("B9: over a day of asking each second, about 100 pass; an hour of silence after the wait resets the count")
    func day() {
        let limit = PolicyArithmetic(policy.shape)
        var mark: PolicyArithmetic.Mark?
        var passed = 0
        var waits: [Double] = []
        for second in 0..<86_400 {
            let outcome = limit.outcome(mark, now: 1_700_000_000 + Double(second), charge: true)
            if outcome.allowed {
                passed += 1
                waits.append(outcome.mark.time - 1_700_000_000 - Double(second))
            }
            mark = outcome.mark
        }

        #expect(waits.prefix(16) == [0, 0, 0, 0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900])
        #expect((95...112).contains(passed))
        let later = (mark?.time ?? 0) + 3_599
        #expect(limit.outcome(mark, now: later, charge: true).mark.count > 100)
        #expect(limit.outcome(mark, now: later + 2, charge: true).mark.count == 1)
    }

    @Test("B10: 2,000 addresses cost Redis less than 200 bytes each, and each key ends; nothing is leased")
    func memory() async throws {
        let redis = try await PrivateRedis.start()
        let client = try RedisClient.to(redis)
        let limiter = RedisRateLimiter(client: client)
        #expect(await client.ping())
        _ = await limiter.charge([policy], subject: "warm")
        func used() async throws -> Int {
            let line = try await redis.cli("INFO", "memory").split(whereSeparator: \.isNewline).first {
                $0.hasPrefix("used_memory_dataset:")
            }
            return try #require(line.flatMap { Int($0.split(separator: ":")[1]) })
        }
        let before = try await used()
        for number in 0..<2_000 {
            _ = await limiter.charge([policy], subject: "0123456789abcdef" + String(10_000_000 + number))
        }
        let growth = try await used() - before

        print("B10: \(growth / 2_000) bytes an address")
        #expect(growth / 2_000 < 200)
        #expect(
            (3_500...4_600).contains(
                try #require(Int(try await redis.cli("TTL", "rl:{0123456789abcdef10000001}").trimmingCharacters(in: .newlines)))))
        #expect(try await redis.cli("GET", "rl:{0123456789abcdef10000001}").hasPrefix("1 "))
    }
}
