import DiaryCore
import DiaryHTTP

extension RatePolicies {
    /// The same limits, `factor` times as wide.
    func multiplied(by factor: Int) -> RatePolicies {
        guard factor > 1 else { return self }
        func wider(_ policies: [RatePolicy]) -> [RatePolicy] {
            policies.map { policy in
                switch policy.shape {
                case .rate(let limit, let window, let burst):
                    RatePolicy(name: policy.name, shape: .rate(limit: limit * factor, window: window, burst: burst * factor))
                case .quota(let limit, let window): RatePolicy(name: policy.name, shape: .quota(limit: limit * factor, window: window))
                case .backoff(let free, let first, let longest):
                    RatePolicy(name: policy.name, shape: .backoff(free: free * factor, first: first, longest: longest))
                }
            }
        }
        var all = self
        for path in [
            \RatePolicies.register, \.login, \.verify, \.resend, \.challenge, \.provider, \.notifications, \.refresh, \.codes,
            \.credentials,
            \.entries, \.exports, \.erasure, \.reads, \.writes, \.links,
        ] { all[keyPath: path] = wider(self[keyPath: path]) }
        all.guess = wider([guess]).first ?? guess
        all.guessDevices = wider([guessDevices]).first ?? guessDevices
        return all
    }
}
