/// When a breaker opens, and for how long.
package struct BreakerPolicy: Sendable, Equatable {
    /// Failures in a row.
    package var failures = 5
    /// Length of the first wait; each further one is twice as long.
    package var baseSeconds: Double
    package var capSeconds: Double
    /// After wrong keys or settings.
    package var refusedSeconds: Double

    /// The wait before jitter.
    /// - Parameter opened: how often it has opened in a row, from 1.
    package func ceiling(opened: Int) -> Double {
        var seconds = baseSeconds
        for _ in 1..<max(1, opened) where seconds < capSeconds { seconds *= 2 }
        return min(seconds, capSeconds)
    }

    /// No engine's `Retry-After` holds for longer than a day.
    package static func bounded(_ retryAfter: Double?) -> Double? {
        retryAfter.flatMap { $0.isFinite ? min(max(0, $0), 86_400) : nil }
    }
}

extension BreakerPolicy {
    package init(_ limits: Limits) {
        self.init(baseSeconds: limits.retryBaseSeconds, capSeconds: limits.retryCapSeconds, refusedSeconds: limits.retryCapSeconds)
    }
}
