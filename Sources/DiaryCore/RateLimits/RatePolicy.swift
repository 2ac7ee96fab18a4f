/// A limit on a named route. Rates are GCRA with a burst; quotas are fixed windows that start at UTC midnight.
package struct RatePolicy: Sendable, Hashable {
    package enum Shape: Sendable, Hashable {
        /// `limit` per `window` seconds, spread evenly, with `burst` at once.
        case rate(limit: Int, window: Int, burst: Int)
        /// `limit` per `window` seconds, counted from the window's start.
        case quota(limit: Int, window: Int)
        /// For guesses: the first `free` calls pass at once; after each further one the next must wait, `first` seconds, then twice as long
        /// each time, up to `longest`. Charges are forgotten an hour after the wait of the last one has ended, or when `reset` is called.
        case backoff(free: Int, first: Int, longest: Int)
    }

    /// The name in the `RateLimit-Policy` field, e.g. `entries`.
    package let name: String
    package let shape: Shape
    /// Counts for the outer of two networks (`RatePolicy+Network.swift`).
    var isOfNetwork = false
    /// Calls that one charge counts for. Of rates only.
    package private(set) var cost = 1

    /// The same limit, charged or refunded `count` calls at once: all of them, or none when they do not all pass.
    package func counting(_ count: Int) -> RatePolicy {
        var policy = self
        policy.cost = max(1, count)
        return policy
    }

    package var isCountedOneByOne: Bool { cost == 1 }
}

extension RatePolicy.Shape {
    /// `factor` times as many calls; the times stay.
    func widened(by factor: Int) -> Self {
        switch self {
        case .rate(let limit, let window, let burst): .rate(limit: limit * factor, window: window, burst: burst * factor)
        case .quota(let limit, let window): .quota(limit: limit * factor, window: window)
        case .backoff(let free, let first, let longest): .backoff(free: free * factor, first: first, longest: longest)
        }
    }

    /// Another limit in the same window; a rate has it as its burst, too. nil for a backoff, which has no such limit.
    func replacing(limit: Int) -> Self? {
        switch self {
        case .rate(_, let window, _): .rate(limit: limit, window: window, burst: limit)
        case .quota(_, let window): .quota(limit: limit, window: window)
        case .backoff: nil
        }
    }
}
