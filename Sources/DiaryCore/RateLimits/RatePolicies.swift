package import DiaryCore

/// The limits of the named routes (DESIGN section 4). Sign-in and link routes count per client address, the others per user.
package struct RatePolicies: Sendable {
    package var register = [RatePolicy(name: "register", shape: .rate(limit: 10, window: 3600, burst: 10))]
    package var login = [RatePolicy(name: "login", shape: .rate(limit: 30, window: 60, burst: 30))]
    package var verify = [RatePolicy(name: "verify", shape: .rate(limit: 30, window: 60, burst: 30))]
    package var resend = [RatePolicy(name: "resend", shape: .rate(limit: 5, window: 600, burst: 5))]
    /// Challenges, and sign-in by a provider's token.
    package var challenge = [RatePolicy(name: "challenge", shape: .rate(limit: 60, window: 60, burst: 60))]
    package var provider = [RatePolicy(name: "provider", shape: .rate(limit: 30, window: 60, burst: 30))]
    /// Apple's own, from few addresses for everybody.
    package var notifications = [RatePolicy(name: "notifications", shape: .rate(limit: 600, window: 60, burst: 600))]
    package var refresh = [RatePolicy(name: "refresh", shape: .rate(limit: 60, window: 60, burst: 60))]
    /// Codes mailed to whoever asks for one.
    package var codes = [RatePolicy(name: "codes", shape: .rate(limit: 10, window: 600, burst: 10))]
    /// What signed-in people do with passwords, addresses and codes.
    package var credentials = [RatePolicy(name: "credentials", shape: .rate(limit: 30, window: 600, burst: 30))]
    /// Guesses on all known devices of an address together; no route's.
    package var guessDevices = GuessLimit.allDevices
    /// Guesses of a password, per account and unknown device, and per known device; no route's, so that it says nothing about an account.
    package var guess = RatePolicy(name: "guesses", shape: .backoff(free: 5, first: 1, longest: 900))
    /// New entries.
    package var entries = [
        RatePolicy(name: "entries", shape: .rate(limit: 60, window: 60, burst: 60)),
        RatePolicy(name: "entries-day", shape: .quota(limit: 500, window: 86_400)),
    ]
    /// New exports.
    package var exports = [RatePolicy(name: "exports-day", shape: .quota(limit: 5, window: 86_400))]
    /// Asking for the end of an account: tries its password.
    package var erasure = [RatePolicy(name: "erasure", shape: .rate(limit: 5, window: 600, burst: 5))]
    package var reads = [RatePolicy(name: "reads", shape: .rate(limit: 600, window: 60, burst: 600))]
    /// Changes to what is there already.
    package var writes = [RatePolicy(name: "writes", shape: .rate(limit: 300, window: 60, burst: 300))]
    /// Mailed links: the page, the download, the zip's ranges.
    package var links = [RatePolicy(name: "links", shape: .rate(limit: 120, window: 60, burst: 120))]

    package init() {}

    /// What `GET /v1/config` shows.
    var all: [RatePolicy] {
        register + login + verify + resend + challenge + provider + notifications + refresh + codes + credentials + entries + exports
            + erasure
            + reads + writes + links
    }
}
