/// Limits for the times of a provider's tokens, in seconds.
package struct IDTokenPolicy: Sendable {
    /// The difference allowed to another machine's clock.
    package var leeway: Int64 = 60
    /// From `iat` to now. A token answers a challenge of this service, so it is never older than a challenge (10 minutes).
    package var maximumAge: Int64 = 10 * 60
    /// From `iat` to `exp`. Google's tokens last an hour, Apple's a day.
    package var maximumLifetime: Int64 = 24 * 60 * 60
}
