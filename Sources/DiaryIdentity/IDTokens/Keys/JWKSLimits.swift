/// When keys are fetched (row B3).
package struct JWKSLimits: Sendable {
    /// Between two fetches, whatever the reason.
    package var coolDown: Duration
    /// Bounds for what the provider's `max-age` says; without one, `usual`.
    package var shortest: Duration
    package var longest: Duration
    package var usual: Duration
    /// Keys that have been stale for longer are used only if the fetch of new ones fails; callers wait for that fetch.
    package var grace: Duration
    /// Keys are used at most that long after they were fetched while no fetch succeeds; longer, and an outage would keep a
    /// withdrawn key valid.
    package var longestOutage: Duration

    package init(
        coolDown: Duration = .seconds(60), shortest: Duration = .seconds(5 * 60), longest: Duration = .seconds(24 * 60 * 60),
        usual: Duration = .seconds(60 * 60), grace: Duration = .seconds(5 * 60), longestOutage: Duration = .seconds(48 * 60 * 60)
    ) {
        self.coolDown = coolDown
        self.shortest = shortest
        self.longest = longest
        self.usual = usual
        self.grace = grace
        self.longestOutage = longestOutage
    }

    func freshness(_ cacheControl: String?) -> Duration {
        guard let seconds = CacheLifetime.seconds(cacheControl) else { return usual }
        return min(max(.seconds(min(seconds, 1 << 40)), shortest), longest)
    }
}
