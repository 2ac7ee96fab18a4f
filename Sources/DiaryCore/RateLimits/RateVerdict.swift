package struct RateVerdict: Sendable, Equatable {
    package var policy: RatePolicy
    package var allowed: Bool
    package var remaining: Int
    /// Seconds until `remaining` is full again (rate) or the window ends (quota).
    package var resetSeconds: Int
    /// Seconds to wait before the next call can pass; 0 when allowed.
    package var retryAfterSeconds: Int

    package init(policy: RatePolicy, allowed: Bool, remaining: Int, resetSeconds: Int, retryAfterSeconds: Int) {
        self.policy = policy
        self.allowed = allowed
        self.remaining = remaining
        self.resetSeconds = resetSeconds
        self.retryAfterSeconds = retryAfterSeconds
    }
}
