/// Entries under their jobs, and what each stage writes, as `diary_worker`. Each `finish…` ends the job and makes its successor ready in
/// one transaction, fenced by the lease.
/// - Returns (`finish…`): the kind of the job that was committed with the result; nil when there is none.
package protocol TranscriptionStore: Sendable {
    /// Marks the entry as being worked on and returns it. `ownerGone` when it was deleted; the job is then finished.
    func beginEntry(_ job: LeasedJob) async throws(WorkError) -> StoredEntry
    /// Stores the measured facts of the recording.
    func finishVerify(_ job: LeasedJob, facts: MediaFacts, size: Int64, sha256: [UInt8]) async throws(WorkError) -> JobKind?
    /// Stores the raw text and the segments.
    func finishTranscribe(
        _ job: LeasedJob, machine: SealedResult, segments: SealedResult, language: String
    ) async throws(WorkError) -> JobKind?
    /// Of the account's profile.
    func languages(of owner: Owner) async throws(WorkError) -> [String]
    func segments(_ entry: EntryID, of owner: Owner) async throws(WorkError) -> SealedColumn?
    /// For each stage that writes only the machine's part.
    func finishMachine(_ job: LeasedJob, machine: SealedResult) async throws(WorkError) -> JobKind?
}
