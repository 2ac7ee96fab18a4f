package import DiaryCore

/// Charges nothing and refuses nothing.
package struct NoLimits: RateLimiter {
    package init() {}

    package func charge(_ policies: [RatePolicy], subject: String) async -> [RateVerdict] { [] }
    package func refund(_ policies: [RatePolicy], subject: String) async {}
    package func reset(_ policy: RatePolicy, subject: String) async {}
}
