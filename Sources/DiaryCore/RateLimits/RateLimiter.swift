/// A limit on a named route. Rates are GCRA with a burst; quotas are fixed windows that start at UTC midnight.
package struct RatePolicy: Sendable, Hashable {
    package enum Shape: Sendable, Hashable {
        /// `limit` per `window` seconds, spread evenly, with `burst` at once.
        case rate(limit: Int, window: Int, burst: Int)
        /// `limit` per `window` seconds, counted from the window's start.
        case quota(limit: Int, window: Int)
        /// For guesses: the first `free` calls pass at once; after each further one the next must wait, `first` seconds, then twice as long each time, up to
        /// `longest`. Charges are forgotten an hour after the wait of the last one has ended, or when `forget` is called.
        case backoff(free: Int, first: Int, longest: Int)
    }

    /// As in the `RateLimit-Policy` field, e.g. `entries`.
    package let name: String
    package let shape: Shape

    package init(name: String, shape: Shape) {
        self.name = name
        self.shape = shape
    }
}

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

package protocol RateLimiter: Sendable {
    /// Charges one call against every policy, or none when one of them refuses. Never throws: without Redis it limits in this process.
    /// - Parameter subject: an opaque keyed hash (user or address), never the value itself.
    func charge(_ policies: [RatePolicy], subject: String) async -> [RateVerdict]
    /// One call charged a moment ago did not count after all. Never throws.
    /// - Parameters:
    ///   - policies: of those that `charge` allowed; the others stay charged.
    ///   - subject: as it was charged.
    func refund(_ policies: [RatePolicy], subject: String) async
    /// Takes back whatever was charged: a success after failures.
    func forget(_ policy: RatePolicy, subject: String) async
}
