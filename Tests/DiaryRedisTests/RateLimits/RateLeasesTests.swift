import TestServers
import Testing

@testable import DiaryCore
@testable import DiaryRedis

@Suite struct RateLeasesTests {
    private let policy = RatePolicy(name: "reads", shape: .rate(limit: 1, window: 3600, burst: 600))

    private func subject(_ name: String) -> RateLeases.Subject { RateLeases.Subject(name: name, policies: [policy]) }

    private func verdict(remaining: Int) -> RateVerdict {
        RateVerdict(policy: policy, allowed: true, remaining: remaining, resetSeconds: 1, retryAfterSeconds: 0)
    }

    @Test("a subject that calls rarely requests each call")
    func single() {
        let leases = RateLeases()
        let start = ContinuousClock.now

        #expect(leases.take(subject("a"), at: start) == .ask(1))
        #expect(leases.take(subject("a"), at: start + .seconds(2)) == .ask(1))
        #expect(leases.take(subject("a"), at: start + .seconds(4)) == .ask(1))
    }

    @Test("a burst requests more each time, up to eight, and passes what was charged and no more")
    func burst() {
        let leases = RateLeases()
        let now = ContinuousClock.now
        var asked: [Int] = []
        var passed = 0
        for _ in 0..<40 {
            switch leases.take(subject("a"), at: now) {
            case .passed: passed += 1
            case .ask(let count, _):
                asked.append(count)
                _ = leases.granted(count, of: count, [verdict(remaining: 100)], to: subject("a"))
            }
        }

        #expect(asked.prefix(6) == [1, 2, 4, 8, 8, 8])
        #expect(passed + asked.count == 40)
        #expect(passed <= asked.reduce(0) { $0 + $1 - 1 })
    }

    @Test("calls beside a pending request for several request one each")
    func parallel() {
        let leases = RateLeases()
        let now = ContinuousClock.now
        var asked: [Int] = []
        for _ in 0..<20 {
            guard case .ask(let count, _) = leases.take(subject("a"), at: now) else { continue }
            asked.append(count)
        }
        #expect(asked == [1, 2] + Array(repeating: 1, count: 18))

        // The pending request has expired without a reply.
        #expect(leases.take(subject("a"), at: now + .milliseconds(201)) == .ask(4))
    }

    @Test("F6: parallel bursts of one client lose no call of their budget")
    func parallelBursts() async throws {
        let redis = try await PrivateRedis.start()
        let limiter = RedisRateLimiter(client: try .to(redis))
        let entries = RatePolicy(name: "entries", shape: .rate(limit: 1, window: 3600, burst: 60))
        var passed = 0
        for _ in 0..<2 {
            passed += await withTaskGroup(of: Int.self) { group in
                for _ in 0..<20 { group.addTask { await limiter.charge([entries], subject: "a").allSatisfy(\.allowed) ? 1 : 0 } }
                return await group.reduce(0, +)
            }
            // Longer than unused calls live.
            try await Task.sleep(for: .milliseconds(1100))
        }

        #expect(passed == 40)
    }

    @Test("F6: unused calls of a burst are refunded to a quota and to a rate, also with a call that is refused")
    func refunded() async throws {
        let redis = try await PrivateRedis.start()
        let limiter = RedisRateLimiter(client: try .to(redis))
        let daily = RatePolicy(name: "entries-day", shape: .quota(limit: 500, window: 86_400))
        for round in 1...3 {
            for _ in 0..<4 { _ = await limiter.charge([policy, daily], subject: "a") }
            try await Task.sleep(for: .milliseconds(1100))
            let verdicts = await limiter.charge([policy, daily], subject: "a")

            #expect(verdicts.map(\.remaining) == [600 - round * 5, 500 - round * 5])
            #expect(try await redis.cli("GET", "rl:{a}:entries-day:quota").hasSuffix(" \(round * 5)"))
            try await Task.sleep(for: .milliseconds(1100))
        }
        // Four calls charge seven; a later call that another policy refuses still refunds three.
        for _ in 0..<4 { _ = await limiter.charge([policy, daily], subject: "b") }
        #expect(try await redis.cli("GET", "rl:{b}:entries-day:quota").hasSuffix(" 7"))
        try await redis.cli("SET", "rl:{b}:reads", "99999999999.0")
        try await Task.sleep(for: .milliseconds(1100))
        #expect(await limiter.charge([policy, daily], subject: "b").map(\.allowed) == [false, true])
        #expect(try await redis.cli("GET", "rl:{b}:entries-day:quota").hasSuffix(" 4"))
    }

    @Test("the remaining calls are reported as if each call had been charged by itself")
    func remaining() {
        let leases = RateLeases()
        let now = ContinuousClock.now
        _ = leases.take(subject("a"), at: now)
        #expect(leases.take(subject("a"), at: now) == .ask(2))

        #expect(leases.granted(2, of: 2, [verdict(remaining: 50)], to: subject("a")).map(\.remaining) == [51])
        #expect(leases.take(subject("a"), at: now) == .passed([verdict(remaining: 50)]))
    }

    @Test("calls not used within a second are refunded, and a subject's calls are its own")
    func lifetime() {
        let leases = RateLeases()
        let now = ContinuousClock.now
        _ = leases.take(subject("a"), at: now)
        _ = leases.take(subject("a"), at: now)
        _ = leases.granted(2, of: 2, [verdict(remaining: 50)], to: subject("a"))

        #expect(leases.take(subject("b"), at: now) == .ask(1))
        #expect(leases.take(subject("a"), at: now + .milliseconds(1001)) == .ask(1, returning: 1))
        #expect(leases.take(subject("a"), at: now + .seconds(3)) == .ask(1))
    }

    @Test("a refusal leases no call")
    func refused() {
        let leases = RateLeases()
        let now = ContinuousClock.now
        _ = leases.take(subject("a"), at: now)
        _ = leases.take(subject("a"), at: now)
        var refusal = verdict(remaining: 0)
        refusal.allowed = false
        _ = leases.granted(1, of: 2, [refusal], to: subject("a"))

        #expect(leases.take(subject("a"), at: now) != .passed([verdict(remaining: 0)]))
    }

    @Test("the number of subjects is bounded")
    func bounded() {
        let now = ContinuousClock.now
        // A subject that is kept asks for two calls. Each is asked for at leases of its own, as asking changes which are kept.
        let kept = (0..<200).count { asked in
            let leases = RateLeases(maximumSubjects: 20)
            for number in 0..<200 { _ = leases.take(subject("s\(number)"), at: now) }
            return leases.take(subject("s\(asked)"), at: now) == .ask(2)
        }

        #expect((10...20).contains(kept))
    }

    @Test("F6: with Redis, a burst of 600 passes exactly, the last calls one by one")
    func whole() async throws {
        let redis = try await PrivateRedis.start()
        let limiter = RedisRateLimiter(client: try .to(redis))
        var verdicts: [RateVerdict] = []
        for _ in 0..<650 { verdicts += await limiter.charge([policy], subject: "a") }
        let calls = try await redis.cli("INFO", "commandstats").split(whereSeparator: \.isNewline).first { $0.hasPrefix("cmdstat_evalsha") }

        #expect(verdicts.count { $0.allowed } == 600)
        #expect(verdicts.prefix(600).map(\.remaining) == (0..<600).reversed())
        // 50 are refused one by one, and near the end each call is requested; the rest were leased by eights.
        let asked = try #require(calls?.split(separator: "=").dropFirst().first?.split(separator: ",").first.flatMap { Int($0) })
        #expect(asked < 280)
    }
}
