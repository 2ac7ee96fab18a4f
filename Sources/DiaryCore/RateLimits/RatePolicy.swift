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
    /// Counts for the outer of two networks (`ofNetwork`).
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

/// A client's own network and the one around it (IPv6: the /64 of a customer in the /48 of a site) are counted in one call. Their subject is
/// the outer network's name, a slash, and the inner one's; a policy counts for one of the two.
extension RatePolicy {
    /// A /48 holds 65,536 networks, which may be one attacker's or many customers' of a mobile network, so it gets more than one client and
    /// far less than all of them.
    package static let networkFactor = 16

    /// The same limit for the outer network: 16 times as wide.
    package var ofNetwork: RatePolicy {
        RatePolicy(name: "\(name)-48", shape: shape.widened(by: Self.networkFactor), isOfNetwork: true)
    }

    /// The part of the subject that this policy counts for.
    package func counted(_ subject: String) -> Substring {
        isOfNetwork ? subject.prefix { $0 != "/" } : subject[...]
    }
}

/// One limit of the service and what follows from it.
package struct DeclaredRatePolicy: Sendable {
    package enum Subject: Sendable {
        /// A user, on routes that need sign-in.
        case member
        /// A client address (IPv6: its network), on the other routes.
        case address
        /// An account or a mail address, counted by a use case.
        case account
    }

    package let policy: RatePolicy
    package let subject: Subject
    /// What an operator sets for an app to replace it.
    package let setting: TenantSetting?
    /// What is counted.
    package let meaning: String
}
