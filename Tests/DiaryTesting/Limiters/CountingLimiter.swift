package import DiaryCore
import Synchronization

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
