/// How often a job is tried, and how long each failed try is followed by a wait.
package struct RetryPolicy: Sendable, Equatable {
    package enum Jitter: Sendable {
        /// Between nothing and the whole wait.
        case full
        /// The upper half: for a policy that promises how long it goes on.
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

    /// A mail server may be away for a day (A9): 60 tries, of which the last 49 waits are at least half an hour each.
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
