package import DiaryCore
import FoundationEssentials
import Synchronization

/// Limits inside one process. Holds a bounded number of keys; those least recently charged are dropped first.
package final class LocalRateLimiter: RateLimiter {
    /// Two generations: charging moves a key to the young one. A full young generation becomes the old one, which is dropped.
    private struct Marks {
        var young: [String: PolicyArithmetic.Mark] = [:]
        var old: [String: PolicyArithmetic.Mark] = [:]

        mutating func set(_ mark: PolicyArithmetic.Mark, _ key: String, _ generation: Int) {
            if young[key] == nil, young.count >= generation {
                old = young
                young = [:]
            }
            old[key] = nil
            young[key] = mark
        }
    }

    private let marks = Mutex(Marks())
    private let generation: Int
    private let now: @Sendable () -> Double

    /// - Parameters:
    ///   - maximumKeys: one key is about 150 bytes.
    ///   - now: seconds since 1970.
    package init(maximumKeys: Int = 50_000, now: @escaping @Sendable () -> Double = { Date().timeIntervalSince1970 }) {
        generation = max(1, maximumKeys / 2)
        self.now = now
    }

    package func charge(_ policies: [RatePolicy], subject: String) async -> [RateVerdict] {
        let time = now()
        let limits = policies.map { PolicyArithmetic($0.shape, cost: $0.cost) }
        let keys = zip(policies, limits).map { RateLimitKey.text(subject: subject, policy: $0, kind: $1.kind) }
        return marks.withLock { marks in
            let before = keys.map { marks.young[$0] ?? marks.old[$0] }
            let isAllowed = zip(limits, before).allSatisfy { $0.outcome($1, now: time, charge: false).allowed }
            return zip(policies, zip(keys, zip(limits, before))).map { policy, rest in
                let (key, (limit, mark)) = rest
                let outcome = limit.outcome(mark, now: time, charge: isAllowed)
                if isAllowed { marks.set(outcome.mark, key, generation) }
                return PolicyArithmetic.verdict(policy, outcome)
            }
        }
    }

    package func refund(_ policies: [RatePolicy], subject: String) async {
        let time = now()
        marks.withLock { marks in
            for policy in policies {
                let limit = PolicyArithmetic(policy.shape, cost: policy.cost)
                let key = RateLimitKey.text(subject: subject, policy: policy, kind: limit.kind)
                guard let mark = marks.young[key] ?? marks.old[key] else { continue }
                marks.set(limit.refunded(mark, now: time), key, generation)
            }
        }
    }

    package func reset(_ policy: RatePolicy, subject: String) async {
        let key = RateLimitKey.text(subject: subject, policy: policy, kind: PolicyArithmetic(policy.shape).kind)
        marks.withLock { marks in
            marks.young[key] = nil
            marks.old[key] = nil
        }
    }
}

enum RateLimitKey {
    /// `rl:{subject}:<policy>`, with `:quota` for quotas, so that a rate and a quota may share a name. A backoff's key is the short
    /// `rl:{subject}`, because a flood of guesses makes one for each address. The braces keep a subject's keys on one cluster node; of an
    /// address in a network they hold the network: `rl:{network}/address:<policy>`.
    static func text(subject: String, policy: RatePolicy, kind: PolicyArithmetic.Kind) -> String {
        let counted = policy.counted(subject)
        let node = counted.prefix { $0 != "/" }
        let name = kind == .backoff ? "" : ":\(policy.name)\(kind == .quota ? ":quota" : "")"
        return "rl:{\(node)}\(counted[node.endIndex...])\(name)"
    }
}
