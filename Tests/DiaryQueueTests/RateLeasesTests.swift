import DiaryCore
import TestServers
import Testing

@testable import DiaryQueue

@Suite struct RateLeasesTests {
    private let policy = RatePolicy(name: "reads", shape: .rate(limit: 1, window: 3600, burst: 600))

    private func subject(_ name: String) -> RateLeases.Subject { RateLeases.Subject(name: name, policies: [policy]) }

    private func verdict(remaining: Int) -> RateVerdict {
        RateVerdict(policy: policy, allowed: true, remaining: remaining, resetSeconds: 1, retryAfterSeconds: 0)
    }

    @Test("somebody who calls now and then asks for each call")
    func single() {
        let leases = RateLeases()
        let start = ContinuousClock.now

        #expect(leases.take(subject("a"), at: start) == .ask(1))
        #expect(leases.take(subject("a"), at: start + .seconds(2)) == .ask(1))
        #expect(leases.take(subject("a"), at: start + .seconds(4)) == .ask(1))
    }

    @Test("a burst asks for more each time, up to eight, and passes what was charged and no more")
    func burst() {
        let leases = RateLeases()
        let now = ContinuousClock.now
        var asked: [Int] = []
        var passed = 0
        for _ in 0..<40 {
            switch leases.take(subject("a"), at: now) {
            case .passed: passed += 1
            case .ask(let count):
                asked.append(count)
                _ = leases.granted(count, [verdict(remaining: 100)], to: subject("a"))
            }
        }

        #expect(asked.prefix(6) == [1, 2, 4, 8, 8, 8])
        #expect(passed + asked.count == 40)
        #expect(passed <= asked.reduce(0) { $0 + $1 - 1 })
    }

    @Test("what is left is told as if each call had been charged by itself")
    func remaining() {
        let leases = RateLeases()
        let now = ContinuousClock.now
        _ = leases.take(subject("a"), at: now)
        #expect(leases.take(subject("a"), at: now) == .ask(2))

        #expect(leases.granted(2, [verdict(remaining: 50)], to: subject("a")).map(\.remaining) == [51])
        #expect(leases.take(subject("a"), at: now) == .passed([verdict(remaining: 50)]))
    }

    @Test("calls not used within a second are given up, and one subject's are nobody else's")
    func life() {
        let leases = RateLeases()
        let now = ContinuousClock.now
        _ = leases.take(subject("a"), at: now)
        _ = leases.take(subject("a"), at: now)
        _ = leases.granted(2, [verdict(remaining: 50)], to: subject("a"))

        #expect(leases.take(subject("b"), at: now) == .ask(1))
        #expect(leases.take(subject("a"), at: now + .milliseconds(1001)) == .ask(1))
    }

    @Test("a refusal leaves nothing to pass")
    func refused() {
        let leases = RateLeases()
        let now = ContinuousClock.now
        _ = leases.take(subject("a"), at: now)
        _ = leases.take(subject("a"), at: now)
        var refusal = verdict(remaining: 0)
        refusal.allowed = false
        _ = leases.granted(8, [refusal], to: subject("a"))

        #expect(leases.take(subject("a"), at: now) != .passed([verdict(remaining: 0)]))
    }

    @Test("the number of subjects is bounded")
    func bounded() {
        let leases = RateLeases(maximumSubjects: 100)
        for number in 0..<10_000 { _ = leases.take(subject("s\(number)")) }

        #expect(leases.subjectCount <= 100)
    }

    @Test("F6: by Redis, a burst of 600 passes exactly, the last calls one by one")
    func whole() async throws {
        let redis = try await PrivateRedis.start()
        let limiter = RedisRateLimiter(client: try .to(redis))
        var verdicts: [RateVerdict] = []
        for _ in 0..<650 { verdicts += await limiter.charge([policy], subject: "a") }
        let calls = try await redis.cli("INFO", "commandstats").split(whereSeparator: \.isNewline).first { $0.hasPrefix("cmdstat_evalsha") }

        #expect(verdicts.count { $0.allowed } == 600)
        #expect(verdicts.prefix(600).map(\.remaining) == (0..<600).reversed())
        // 50 are refused one by one, and near the end each call is asked for; the rest came by eights.
        let asked = try #require(calls?.split(separator: "=").dropFirst().first?.split(separator: ",").first.flatMap { Int($0) })
        #expect(asked < 280)
    }
}
