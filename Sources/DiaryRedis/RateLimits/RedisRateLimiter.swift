package import DiaryCore

/// Limits across processes, by Redis' clock. While Redis is unavailable or slow each process limits by itself.
package struct RedisRateLimiter: RateLimiter {
    /// A longer wait would cost the request more than an inexact limit.
    private static let deadline = RateLeases.replyDeadline

    let client: RedisClient
    var fallback: any RateLimiter = LocalRateLimiter()
    private let leases = RateLeases()

    package init(client: RedisClient, fallback: any RateLimiter = LocalRateLimiter()) {
        self.client = client
        self.fallback = fallback
    }

    package func charge(_ policies: [RatePolicy], subject: String) async -> [RateVerdict] {
        guard !policies.isEmpty else { return [] }
        let limits = policies.map { PolicyArithmetic($0.shape, cost: $0.cost) }
        let leased = RateLeases.Subject(name: subject, policies: policies)
        // Guesses are counted one by one: a call charged in advance would count a guess that was not made.
        let mayLease = limits.allSatisfy { $0.kind != .backoff } && policies.allSatisfy(\.isCountedOneByOne)
        let (wanted, unused): (Int, Int)
        switch mayLease ? leases.take(leased) : .ask(1) {
        case .passed(let verdicts): return verdicts
        case .ask(let count, let returning): (wanted, unused) = (count, returning)
        }
        let keys = Self.keys(policies, limits, subject)
        let arguments =
            [RedisArgument(wanted), RedisArgument(unused)]
            + limits.flatMap {
                [
                    RedisArgument($0.kind.rawValue), RedisArgument("\($0.capacity)"), RedisArgument("\($0.period)"),
                    RedisArgument("\($0.longest)"),
                ]
            }
        if let reply = try? await RateLimitScript.charge.run(on: client, keys: keys, arguments: arguments, deadline: Self.deadline),
            let (charged, verdicts) = Self.verdicts(policies, reply, wanted)
        {
            return mayLease ? leases.granted(charged, of: wanted, verdicts, to: leased) : verdicts
        }
        return await fallback.charge(policies, subject: subject)
    }

    /// When Redis cannot be reached the fallback refunds: most likely it charged the call. A current lease is not corrected; for its
    /// second it reports one remaining call too few.
    package func refund(_ policies: [RatePolicy], subject: String) async {
        guard !policies.isEmpty else { return }
        let limits = policies.map { PolicyArithmetic($0.shape, cost: $0.cost) }
        let keys = Self.keys(policies, limits, subject)
        let arguments = limits.flatMap { [RedisArgument($0.kind.rawValue), RedisArgument("\($0.period)")] }
        if (try? await RateLimitScript.refund.run(on: client, keys: keys, arguments: arguments, deadline: Self.deadline)) == nil {
            await fallback.refund(policies, subject: subject)
        }
    }

    /// Resets in Redis and in this process, which may have counted while Redis was unavailable. A Redis that cannot be reached drops the
    /// key after an hour (`PolicyArithmetic.memory`).
    package func reset(_ policy: RatePolicy, subject: String) async {
        await fallback.reset(policy, subject: subject)
        let key = RateLimitKey.text(subject: subject, policy: policy, kind: PolicyArithmetic(policy.shape).kind)
        _ = try? await client.send(["DEL", RedisArgument(key)], deadline: Self.deadline)
    }

    private static func keys(_ policies: [RatePolicy], _ limits: [PolicyArithmetic], _ subject: String) -> [RedisArgument] {
        zip(policies, limits).map { RedisArgument(RateLimitKey.text(subject: subject, policy: $0, kind: $1.kind)) }
    }

    /// - Returns: nil unless the reply is the number of charged calls and four numbers per policy, all within the script's bounds.
    private static func verdicts(_ policies: [RatePolicy], _ reply: RedisValue, _ wanted: Int) -> (charged: Int, [RateVerdict])? {
        guard let whole = reply.array?.compactMap({ $0.int.flatMap { Int(exactly: $0) } }), whole.count == policies.count * 4 + 1,
            let charged = whole.first, (1...wanted).contains(charged), whole.allSatisfy({ (0...1_000_000_000_000_000).contains($0) })
        else { return nil }
        let numbers = Array(whole.dropFirst())
        let verdicts = policies.enumerated().map { index, policy in
            let four = numbers[(index * 4)..<(index * 4 + 4)]
            return RateVerdict(
                policy: policy, allowed: four[four.startIndex] == 1, remaining: four[four.startIndex + 1] * policy.cost,
                resetSeconds: four[four.startIndex + 2], retryAfterSeconds: four[four.startIndex + 3])
        }
        return (charged, verdicts)
    }
}

extension RedisRateLimiter: RateForgetting {
    /// Scans all keys page by page, because the policies that a subject was counted by are not stored.
    package func forget(_ subject: String) async -> Bool {
        var cursor = "0"
        // The server ends the scan; the bound is far beyond any server's number of pages.
        for _ in 0..<1_000_000 {
            guard
                let page = try? await client.send([
                    "SCAN", RedisArgument(cursor), "MATCH", RedisArgument("rl:{\(subject)}:*"), "COUNT", 1000,
                ]).array, page.count == 2, let next = page[0].text
            else { return false }
            let keys = (page[1].array ?? []).compactMap { $0.bytes.map { RedisArgument($0) } }
            if !keys.isEmpty, (try? await client.send(["UNLINK"] + keys)) == nil { return false }
            if next == "0" { return true }
            cursor = next
        }
        return false
    }
}
