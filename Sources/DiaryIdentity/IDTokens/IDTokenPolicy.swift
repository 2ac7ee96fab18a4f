/// How the times of a provider's tokens are judged, in seconds.
package struct IDTokenPolicy: Sendable {
    /// By which another machine's clock may differ.
    package var leeway: Int64
    /// From `iat` to now. A token answers a challenge of ours, so it is never older than a challenge (10 minutes).
    package var maximumAge: Int64
    /// From `iat` to `exp`. Google's last an hour, Apple's a day.
    package var maximumLifetime: Int64

    package init(leeway: Int64 = 60, maximumAge: Int64 = 10 * 60, maximumLifetime: Int64 = 24 * 60 * 60) {
        self.leeway = leeway
        self.maximumAge = maximumAge
        self.maximumLifetime = maximumLifetime
    }
}

/// Why nobody is signed in.
package enum IDTokenFailure: Error, Sendable, Hashable {
    /// Forged, damaged, expired, for somebody else, for another sign-in: which of these is not told.
    case refused
    /// The provider's keys were never seen, or too long ago. Says nothing about the token.
    case keysUnavailable
}
