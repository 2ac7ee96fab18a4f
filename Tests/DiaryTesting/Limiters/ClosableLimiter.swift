package import DiaryCore
import Synchronization

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
