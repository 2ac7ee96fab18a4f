import DiaryCore

enum RateLimitKey {
    /// `rl:{subject}:<policy>`, with `:quota` for quotas, so that a rate and a quota may share a name. A backoff's key is the short
    /// `rl:{subject}`, because a flood of guesses makes one for each address. The braces keep a subject's keys on one cluster node.
    static func text(subject: String, policy: RatePolicy, kind: PolicyArithmetic.Kind) -> String {
        kind == .backoff ? "rl:{\(subject)}" : "rl:{\(subject)}:\(policy.name)\(kind == .quota ? ":quota" : "")"
    }
}
