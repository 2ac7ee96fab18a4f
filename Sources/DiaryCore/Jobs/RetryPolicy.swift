/// How often a job is tried, and the wait after each failed try.
package struct RetryPolicy: Sendable, Equatable {
    package enum Jitter: Sendable {
        /// Between nothing and the whole wait.
        case full
        /// The upper half of the wait: for a policy that guarantees how long it continues.
        case half
    }

    package var maxTries: Int
    package var baseSeconds: Double
    package var capSeconds: Double
    package var jitter: Jitter = .full
}

extension RetryPolicy {
    package init(_ limits: Limits) {
        self.init(maxTries: limits.maxTries, baseSeconds: limits.retryBaseSeconds, capSeconds: limits.retryCapSeconds)
    }

    /// Survives a mail server's outage of a day (A9): 60 tries, of whose waits the last 49 are at least half an hour each.
    package static func mail(_ limits: Limits) -> RetryPolicy {
        RetryPolicy(maxTries: 60, baseSeconds: limits.retryBaseSeconds, capSeconds: 3_600, jitter: .half)
    }

    /// The wait before jitter: base · 2^errors, at most the cap.
    package func ceiling(errors: Int) -> Double {
        var seconds = baseSeconds
        for _ in 0..<max(0, errors) where seconds < capSeconds { seconds *= 2 }
        return min(seconds, capSeconds)
    }
}
