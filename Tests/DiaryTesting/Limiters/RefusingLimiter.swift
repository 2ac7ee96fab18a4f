@testable package import DiaryCore

/// Refuses everything, with figures that no real limiter answers.
package struct RefusingLimiter: RateLimiter {
    package init() {}

    package func charge(_ policies: [RatePolicy], subject: String) async -> [RateVerdict] {
        policies.map { RateVerdict(policy: $0, allowed: false, remaining: -1, resetSeconds: -1, retryAfterSeconds: -1) }
    }

    package func refund(_ policies: [RatePolicy], subject: String) async {}
    package func reset(_ policy: RatePolicy, subject: String) async {}
}
