import Synchronization

@testable package import DiaryCore

/// Charges nothing and refuses nothing.
package struct NoLimits: RateLimiter {
    package init() {}

    package func charge(_ policies: [RatePolicy], subject: String) async -> [RateVerdict] { [] }
    package func refund(_ policies: [RatePolicy], subject: String) async {}
    package func reset(_ policy: RatePolicy, subject: String) async {}
}

/// Refuses everything, with figures that no real limiter answers.
package struct RefusingLimiter: RateLimiter {
    package init() {}

    package func charge(_ policies: [RatePolicy], subject: String) async -> [RateVerdict] {
        policies.map { RateVerdict(policy: $0, allowed: false, remaining: -1, resetSeconds: -1, retryAfterSeconds: -1) }
    }

    package func refund(_ policies: [RatePolicy], subject: String) async {}
    package func reset(_ policy: RatePolicy, subject: String) async {}
}

/// Admits every call, and once closed a fixed number per subject.
package final class ClosableLimiter: RateLimiter {
    private let state = Mutex((most: Int.max, counts: [String: Int]()))

    package init() {}

    package func close(after most: Int) { state.withLock { $0.most = most } }
    package var subjects: Set<String> { state.withLock { Set($0.counts.keys) } }

    package func charge(_ policies: [RatePolicy], subject: String) async -> [RateVerdict] {
        state.withLock { state in
            let used = state.counts[subject, default: 0]
            let allowed = used < state.most
            if allowed { state.counts[subject] = used + 1 }
            return policies.map {
                RateVerdict(policy: $0, allowed: allowed, remaining: 0, resetSeconds: 0, retryAfterSeconds: allowed ? 0 : 7)
            }
        }
    }

    package func refund(_ policies: [RatePolicy], subject: String) async {
        state.withLock { state in
            if let used = state.counts[subject] { state.counts[subject] = max(0, used - 1) }
        }
    }

    package func reset(_ policy: RatePolicy, subject: String) async { state.withLock { $0.counts[subject] = nil } }
}

/// Counts per subject and policy, without time.
package final class CountingLimiter: RateLimiter {
    private let counts = Mutex<[String: Int]>([:])

    package init() {}

    package func charge(_ policies: [RatePolicy], subject: String) async -> [RateVerdict] {
        policies.map { policy in
            let used = counts.withLock { counts in
                counts[policy.name + policy.counted(subject), default: 0] += 1
                return counts[policy.name + policy.counted(subject)] ?? 0
            }
            let limit =
                switch policy.shape {
                case .rate(let limit, _, _), .quota(let limit, _), .backoff(let limit, _, _): limit
                }
            return RateVerdict(
                policy: policy, allowed: used <= limit, remaining: max(0, limit - used), resetSeconds: 30,
                retryAfterSeconds: used <= limit ? 0 : 17)
        }
    }

    package func refund(_ policies: [RatePolicy], subject: String) async {
        counts.withLock { counts in
            for policy in policies { counts[policy.name + subject, default: 0] -= 1 }
        }
    }

    /// Calls that count, of all subjects.
    package func used(_ policy: RatePolicy) -> Int {
        counts.withLock { $0.filter { $0.key.hasPrefix(policy.name) }.values.reduce(0, +) }
    }

    package func reset(_ policy: RatePolicy, subject: String) async { counts.withLock { $0[policy.name + subject] = nil } }
}
