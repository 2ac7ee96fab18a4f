import DiaryCore

/// Counts the objects whose facts a step of a sweep asked for and the store did not serve. A single failure may be a broken object and is
/// left to the next round. Several failures without one success mean that the store is down: that ends the step, and the round's other
/// steps that need the store (decision 0046).
struct FailedLookups: Sendable {
    /// Failures since the last page of which the store served an object.
    private(set) var count = 0

    /// - Returns: how many of `found` failed.
    mutating func note(_ found: [Result<ObjectFacts?, ObjectStoreError>]) -> Int {
        let failed = found.count { if case .failure(.unavailable) = $0 { true } else { false } }
        count = failed < found.count ? 0 : count + failed
        return failed
    }

    /// Called after the work on the objects that the store did serve.
    /// - Throws: `unavailable` when the store is down.
    func check() throws(ObjectStoreError) {
        if count >= Sweeper.failures { throw .unavailable(full: false) }
    }
}
