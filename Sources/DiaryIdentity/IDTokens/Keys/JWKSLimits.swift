/// When keys are fetched (row B3).
package struct JWKSLimits: Sendable {
    /// Between two fetches, whatever asks for them.
    package var coolDown: Duration
    /// Bounds for what the provider's `max-age` says; without one, `usual`.
    package var shortest: Duration
    package var longest: Duration
    package var usual: Duration
    /// After that long past their freshness keys are no longer used while new ones are on their way, but only if none come.
    package var grace: Duration
    /// Keys are used for that long after they were fetched while no fetch succeeds. Longer, and an outage would keep a
    /// withdrawn key alive.
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
