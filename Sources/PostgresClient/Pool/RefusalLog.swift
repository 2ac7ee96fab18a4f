/// Which refused connections get a line in the log. While a server is down, a pool's connections try it several times a second in all.
struct RefusalLog {
    private var last: (reason: String, time: ContinuousClock.Instant)?
    private var untold = 0

    /// How many refusals a line now stands for; nil when there is none: at most one in ten seconds, for another reason than the last one
    /// in a second.
    mutating func refused(_ reason: String, at now: ContinuousClock.Instant = .now) -> Int? {
        untold += 1
        if let last, now - last.time < (reason == last.reason ? .seconds(10) : .seconds(1)) { return nil }
        defer { untold = 0 }
        last = (reason, now)
        return untold
    }
}
