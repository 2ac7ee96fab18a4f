@testable package import DiaryCore

/// Refuses everything.
package struct RefusingLimiter: RateLimiter {
    private let figure: Int

    /// - Parameter figure: what its verdicts say is left, and how long to wait.
    package init(figure: Int = 0) { self.figure = figure }

    package func charge(_ policies: [RatePolicy], subject: String) async -> [RateVerdict] {
        policies.map { RateVerdict(policy: $0, allowed: false, remaining: figure, resetSeconds: figure, retryAfterSeconds: figure) }
    }

    package func refund(_ policies: [RatePolicy], subject: String) async {}
    package func forget(_ policy: RatePolicy, subject: String) async {}
}
