import DiaryCore

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
