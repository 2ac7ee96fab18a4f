import DiaryCore
import DiaryCrypto

/// Writes a job's result, and tries again while the database is unavailable, so that recognition is not repeated and a mail is not
/// sent twice. The lease is renewed meanwhile, and losing it cancels the job.
struct ResultWriting: Sendable {
    let keys: DataKeys
    let owner: Owner

    /// Seconds after which the write is given up, and the job is tried again from its beginning.
    static let retryLimitSeconds = 300.0

    /// - Parameter refused: called when the store certainly wrote nothing, and never will for this attempt.
    /// - Returns: what `write` returns.
    func run<Value>(_ write: () async throws -> Value, refused: () async -> Void = {}) async throws -> Value {
        let deadline = ContinuousClock.now + .seconds(Self.retryLimitSeconds)
        var backoff = Backoff()
        // The lost reply may have been that of a commit; then this job's own success looks like a lost lease.
        var isOutcomeUnknown = false
        while true {
            do {
                return try await write()
            } catch let error as WorkError {
                if case .unavailable(let cause) = error {
                    isOutcomeUnknown = true
                    if cause.code == .unavailable, !Task.isCancelled, ContinuousClock.now < deadline {
                        await pause(backoff.next())
                        continue
                    }
                } else if !isOutcomeUnknown {
                    await refused()
                }
                if error == .ownerGone { keys.evict(owner) }
                throw error
            }
        }
    }
}
