import DiaryCore

/// Objects that a step of a sweep asked for and the store did not serve. Broken ones are left to the next round. Several without one that is served
/// among them mean that the store is away, which ends the step, and with it the round's other steps that need the store (decision 0046).
struct UnansweredLooks: Sendable {
    /// Since the last page of which the store served something.
    private(set) var count = 0

    /// - Returns: how many of these.
    mutating func note(_ found: [Result<ObjectFacts?, ObjectStoreError>]) -> Int {
        let failed = found.count { if case .failure(.unavailable) = $0 { true } else { false } }
        count = failed < found.count ? 0 : count + failed
        return failed
    }

    /// Called after the work on what the store did serve.
    /// - Throws: `unavailable` when the store is away.
    func check() throws(ObjectStoreError) {
        if count >= Sweeper.failures { throw .unavailable(full: false) }
    }
}
