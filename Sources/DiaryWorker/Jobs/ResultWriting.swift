import DiaryCore

/// Writes a job's result. A database that is away does not throw the work away: recognition is not paid for twice and a mail is not
/// sent twice for it. The lease is renewed meanwhile, and losing it cancels the job.
struct ResultWriting: Sendable {
    let keys: DataKeys
    let owner: Owner

    /// After so many seconds the job is tried again from its beginning.
    static let patienceSeconds = 300.0

    /// - Parameter refused: called when the store certainly wrote nothing, and never will for this attempt.
    func run(_ write: () async throws(WorkError) -> Void, refused: () async -> Void = {}) async throws(JobStop) {
        let deadline = ContinuousClock.now + .seconds(Self.patienceSeconds)
        var backoff = Backoff()
        // A reply that was lost may have been a commit's; then our own success looks like a lost lease.
        var isOutcomeUnknown = false
        while true {
            do throws(WorkError) {
                return try await write()
            } catch {
                if case .unavailable(let cause) = error {
                    isOutcomeUnknown = true
                    if cause.code == .unavailable, !Task.isCancelled, ContinuousClock.now < deadline {
                        await pause(backoff.next())
                        continue
                    }
                } else if !isOutcomeUnknown {
                    await refused()
                }
                if error == .ownerGone { keys.forget(owner) }
                throw JobStop(finishing: error)
            }
        }
    }
}
