import FoundationEssentials

/// Bounds the fetches for names that have never been a certificate. A sender that knows a topic can send messages with invented names, and each would
/// otherwise be a request of this service. A message over the bound is answered 503, after which SNS sends it again.
struct SNSFetches {
    /// A region has one or two certificates at a time, and an installation's topics are in a few regions.
    static let most = 10
    /// Seconds.
    static let window = 60.0

    private var recent: [Date] = []

    /// - Returns: false when those of the window are used up.
    mutating func take(at now: Date) -> Bool {
        // A time to come is from before the clock was put back.
        recent.removeAll { !(0..<Self.window).contains(now.timeIntervalSince($0)) }
        guard recent.count < Self.most else { return false }
        recent.append(now)
        return true
    }
}
