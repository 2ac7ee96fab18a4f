package import DiaryCore

/// Limits across processes, by Redis' own clock. While Redis is away or slow each process limits by itself.
package struct RedisRateLimiter: RateLimiter {
    /// Waiting longer would cost the request more than an inexact limit.
    private static let patience = Duration.milliseconds(200)

    private let client: RedisClient
    private let fallback: any RateLimiter

    package init(client: RedisClient, fallback: any RateLimiter = LocalRateLimiter()) {
        self.client = client
        self.fallback = fallback
    }

    package func charge(_ policies: [RatePolicy], subject: String) async -> [RateVerdict] {
        guard !policies.isEmpty else { return [] }
        let sums = policies.map { PolicyArithmetic($0.shape) }
        let keys = zip(policies, sums).map { RedisArgument(RateLimitKey.text(subject: subject, policy: $0, kind: $1.kind)) }
        let arguments = sums.flatMap { [RedisArgument($0.kind.rawValue), RedisArgument("\($0.capacity)"), RedisArgument("\($0.period)")] }
        if let reply = try? await RateLimitScript.charge.run(on: client, keys: keys, arguments: arguments, deadline: Self.patience),
            let verdicts = Self.verdicts(policies, reply)
        {
            return verdicts
        }
        return await fallback.charge(policies, subject: subject)
    }

    /// nil when the reply is not four whole numbers per policy.
    private static func verdicts(_ policies: [RatePolicy], _ reply: RedisValue) -> [RateVerdict]? {
        guard let numbers = reply.array?.compactMap({ $0.int.flatMap { Int(exactly: $0) } }), numbers.count == policies.count * 4 else {
            return nil
        }
        return policies.enumerated().map { index, policy in
            let four = numbers[(index * 4)..<(index * 4 + 4)]
            return RateVerdict(
                policy: policy, allowed: four[four.startIndex] == 1, remaining: four[four.startIndex + 1],
                resetSeconds: four[four.startIndex + 2], retryAfterSeconds: four[four.startIndex + 3])
        }
    }
}
