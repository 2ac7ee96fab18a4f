package import DiaryCore

/// When a failed try is made again, and when no more.
package struct RetryPolicy: Sendable, Equatable {
    package enum Jitter: Sendable {
        /// Anywhere between nothing and the whole wait.
        case full
        /// The upper half: for a policy that promises how long it goes on.
        case half
    }

    package var maxTries: Int
    package var baseSeconds: Double
    package var capSeconds: Double
    package var jitter: Jitter

    package init(maxTries: Int, baseSeconds: Double, capSeconds: Double, jitter: Jitter = .full) {
        self.maxTries = maxTries
        self.baseSeconds = baseSeconds
        self.capSeconds = capSeconds
        self.jitter = jitter
    }

    package init(_ limits: Limits) {
        self.init(maxTries: limits.maxTries, baseSeconds: limits.retryBaseSeconds, capSeconds: limits.retryCapSeconds)
    }

    /// A mail server may be away for a day (A9): 60 tries, of which the last 49 waits are at least half an hour each.
    package static func mail(_ limits: Limits) -> RetryPolicy {
        RetryPolicy(maxTries: 60, baseSeconds: limits.retryBaseSeconds, capSeconds: 3_600, jitter: .half)
    }

    /// No provider makes a job wait longer than a day.
    static let longestWait = 86_400.0

    /// What becomes of a job that failed `errors` times before this one.
    func settle(_ outcome: JobOutcome, errors: Int) -> Settlement {
        switch outcome {
        case .retry(let code, let after):
            errors + 1 >= maxTries ? .bury(code) : .retry(code, afterSeconds: max(wait(errors: errors), asked(after)))
        case .retryLater(let code):
            errors + 1 >= maxTries ? .bury(code) : .retry(code, afterSeconds: capSeconds)
        case .bury(let code): .bury(code)
        case .done, .abandoned, .released: .nothing
        }
    }

    /// The wait before jitter: base · 2^errors, at most the cap.
    func ceiling(errors: Int) -> Double {
        var seconds = baseSeconds
        for _ in 0..<max(0, errors) where seconds < capSeconds { seconds *= 2 }
        return min(seconds, capSeconds)
    }

    private func wait(errors: Int) -> Double {
        let ceiling = max(0, ceiling(errors: errors))
        return Double.random(in: (jitter == .full ? 0 : ceiling / 2)...ceiling)
    }

    private func asked(_ seconds: Double?) -> Double {
        guard let seconds, seconds.isFinite else { return 0 }
        return min(max(0, seconds), Self.longestWait)
    }
}

/// What is written about a run that did not finish its job itself.
enum Settlement: Equatable {
    case retry(ProcessingCode, afterSeconds: Double)
    case bury(ProcessingCode)
    case nothing
}
