import DiaryCore

/// A policy as numbers, none of which divides by zero. `RateLimitScript` does the same arithmetic in Lua.
struct PolicyArithmetic: Sendable {
    enum Kind: Int, Sendable { case rate = 0, quota = 1, backoff = 2 }

    let kind: Kind
    /// Calls at once (rate, backoff) or per window (quota).
    let capacity: Double
    /// Seconds per call (rate), per window (quota), or of the first wait (backoff).
    let period: Double
    /// Seconds of the longest wait (backoff).
    var longest: Double = 0

    /// Seconds after which a backoff is forgotten, counted from the end of its wait.
    static let memory = 3_600.0

    /// - Parameter cost: calls that one charge counts for: one call of a rate with as many times the period and as many times less calls.
    init(_ shape: RatePolicy.Shape, cost: Int = 1) {
        switch shape {
        case .rate(let limit, let window, let burst):
            kind = .rate
            // A limit of 0 is a burst of 0, which never refills.
            capacity = limit > 0 ? Double(max(burst, 1)) / Double(cost) : 0
            period = Double(max(window, 1)) / Double(max(limit, 1)) * Double(cost)
        case .quota(let limit, let window):
            kind = .quota
            capacity = Double(max(limit, 0))
            period = Double(max(window, 1))
        case .backoff(let free, let first, let longest):
            kind = .backoff
            capacity = Double(max(free, 0))
            period = Double(max(first, 1))
            self.longest = Double(max(longest, first, 1))
        }
    }

    /// The stored state of a subject: the theoretical arrival time (rate), the window's start and its calls (quota), or the end of the wait
    /// and the calls so far (backoff).
    struct Mark: Sendable {
        var time: Double
        var count: Double = 0
    }

    struct Outcome {
        var allowed: Bool
        var remaining: Double
        var reset: Double
        var retryAfter: Double
        var mark: Mark
    }

    /// A microsecond: sums of doubles near 1.8e9 s are exact to a quarter of it.
    private static let epsilon = 1e-6

    /// - Parameters:
    ///   - now: seconds since 1970.
    ///   - charge: false computes without charging.
    func outcome(_ mark: Mark?, now: Double, charge: Bool) -> Outcome {
        switch kind {
        case .rate:
            let arrival = max(mark?.time ?? now, now)
            let wait = arrival + period - now - capacity * period
            let allowed = capacity > 0 && wait <= Self.epsilon
            let next = allowed && charge ? arrival + period : arrival
            let remaining = max(0, ((capacity * period - (next - now) + Self.epsilon) / period).rounded(.down))
            return Outcome(
                allowed: allowed, remaining: remaining, reset: (next - now - Self.epsilon).rounded(.up),
                retryAfter: allowed ? 0 : max(1, (capacity > 0 ? wait : period).rounded(.up)), mark: Mark(time: next))
        case .quota:
            let start = windowStart(now)
            let used = mark?.time == start ? mark?.count ?? 0 : 0
            let allowed = used < capacity
            let next = allowed && charge ? used + 1 : used
            let left = max(1, (start + period - now).rounded(.up))
            return Outcome(
                allowed: allowed, remaining: max(0, capacity - next), reset: left,
                retryAfter: allowed ? 0 : left, mark: Mark(time: start, count: next))
        case .backoff:
            let known = mark.flatMap { now < $0.time + Self.memory ? $0 : nil } ?? Mark(time: 0)
            let allowed = known.count < capacity || known.time - now <= Self.epsilon
            guard allowed, charge else {
                let wait = max(0, (known.time - now - Self.epsilon).rounded(.up))
                return Outcome(
                    allowed: allowed, remaining: max(0, capacity - known.count), reset: wait, retryAfter: allowed ? 0 : max(1, wait),
                    mark: known)
            }
            let count = min(known.count + 1, 1_000_000)
            let wait = wait(after: count)
            return Outcome(
                allowed: true, remaining: max(0, capacity - count), reset: wait, retryAfter: 0, mark: Mark(time: now + wait, count: count))
        }
    }

    /// The mark with one call fewer: a wait for that call ends now. A mark of an earlier window stays as it is.
    /// - Parameter now: seconds since 1970.
    func refunded(_ mark: Mark, now: Double) -> Mark {
        switch kind {
        case .rate: Mark(time: max(now, mark.time - period))
        case .quota: mark.time == windowStart(now) ? Mark(time: mark.time, count: max(0, mark.count - 1)) : mark
        case .backoff: Mark(time: min(mark.time, now), count: max(0, mark.count - 1))
        }
    }

    /// Start of a quota's window, in seconds since 1970.
    private func windowStart(_ now: Double) -> Double { (now / period).rounded(.down) * period }

    /// Seconds that must pass between this call and the next.
    private func wait(after count: Double) -> Double {
        guard count >= capacity else { return 0 }
        var wait = period
        var left = count - capacity
        while left > 0, wait < longest {
            wait *= 2
            left -= 1
        }
        return min(wait, longest)
    }

    static func verdict(_ policy: RatePolicy, _ outcome: Outcome) -> RateVerdict {
        RateVerdict(
            policy: policy, allowed: outcome.allowed, remaining: whole(outcome.remaining) * policy.cost,
            resetSeconds: whole(outcome.reset), retryAfterSeconds: whole(outcome.retryAfter))
    }

    private static func whole(_ value: Double) -> Int {
        Int(exactly: min(max(value, 0), 1e15).rounded()) ?? 0
    }
}
