/// When keys are fetched (row B3).
package struct JWKSLimits: Sendable {
    /// Between two fetches, whatever the reason.
    package var coolDown: Duration = .seconds(60)
    /// Bounds for what the provider's `max-age` says; without one, `usual`.
    package var shortest: Duration = .seconds(5 * 60)
    package var longest: Duration = .seconds(24 * 60 * 60)
    package var usual: Duration = .seconds(60 * 60)
    /// Keys that have been stale for longer are used only if the fetch of new ones fails; callers wait for that fetch.
    package var grace: Duration = .seconds(5 * 60)
    /// Keys are used at most that long after they were fetched while no fetch succeeds; longer, and an outage would keep a
    /// withdrawn key valid.
    package var longestOutage: Duration = .seconds(48 * 60 * 60)

    func freshness(_ cacheControl: String?) -> Duration {
        guard let seconds = CacheLifetime.seconds(cacheControl) else { return usual }
        return min(max(.seconds(min(seconds, 1 << 40)), shortest), longest)
    }
}
