import Synchronization

/// When a failed request is sent again: with full jitter, within a number of tries, a time, and a budget that all requests share.
package struct S3Retries: Sendable {
    package var tries = 4
    package var base: Duration = .milliseconds(100)
    package var cap: Duration = .seconds(5)
    /// From the first try on; after it no other begins.
    package var within: Duration = .seconds(30)

    /// - Parameters:
    ///   - tried: how often the request was sent, at least 1.
    ///   - asked: what the server asks for (`Retry-After`), obeyed up to four times the cap.
    func delay(after tried: Int, asked: Duration?, random: (ClosedRange<Double>) -> Double = { .random(in: $0) }) -> Duration {
        let most = min(cap, base * (1 << min(max(tried, 1) - 1, 16)))
        let chosen = most * random(0...1)
        guard let asked else { return chosen }
        return max(chosen, min(asked, cap * 4))
    }
}

/// A failed request costs, a good one gives back: when the service fails as a whole, retries end and do not multiply its load.
final class RetryBudget: Sendable {
    static let capacity = 500
    private static let cost = 5
    private let tokens = Mutex(capacity)

    func take() -> Bool {
        tokens.withLock { tokens in
            guard tokens >= Self.cost else { return false }
            tokens -= Self.cost
            return true
        }
    }

    func succeeded() { tokens.withLock { $0 = min(Self.capacity, $0 + 1) } }
}
