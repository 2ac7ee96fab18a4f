package protocol RateLimiter: Sendable {
    /// Charges one call against every policy, or none when one of them refuses. Never throws: without Redis it limits in this process.
    /// - Parameter subject: an opaque keyed hash (user or address), never the value itself; two with a slash between them for an address in
    ///   a network that is limited too.
    func charge(_ policies: [RatePolicy], subject: String) async -> [RateVerdict]
    /// Refunds one call that was charged a moment ago. Never throws.
    /// - Parameters:
    ///   - policies: of those that `charge` allowed; the others stay charged.
    ///   - subject: as it was charged.
    func refund(_ policies: [RatePolicy], subject: String) async
    /// Removes all charges: after a success that follows failures.
    func reset(_ policy: RatePolicy, subject: String) async
}
