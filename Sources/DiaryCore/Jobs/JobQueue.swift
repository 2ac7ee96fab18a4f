package import FoundationEssentials

/// Jobs and their results as `diary_worker`. Lock order everywhere: the user's `user_sync` row, then `jobs`.
package protocol WorkStore: Sendable {
    func claim(_ kinds: [JobKind], limit: Int, worker: String, leaseSeconds: Double) async throws(WorkError) -> [LeasedJob]
    /// - Returns: the jobs still held.
    func renew(_ jobs: [LeasedJob], leaseSeconds: Double) async throws(WorkError) -> Set<JobID>
    /// Graceful stop: ready again at once, no try burnt.
    func release(_ jobs: [LeasedJob]) async throws(WorkError)
    /// One more failed try; the entry shows when the next one comes.
    func retry(_ job: LeasedJob, code: ProcessingCode, afterSeconds: Double) async throws(WorkError)
    /// No more tries: dead letter, visible as `failed` with the code on its entry, export or mail.
    func bury(_ job: LeasedJob, code: ProcessingCode) async throws(WorkError)
    /// Leases that ran out: crash counted, ready again (or buried as `processing_crashed` at `maxCrashes`).
    /// - Returns: the kinds that have work again.
    func rescue(limit: Int, maxCrashes: Int) async throws(WorkError) -> [JobKind]

    // verify, transcribe, clean
    /// Marks the entry as being worked on and returns it. `ownerGone` when it was deleted; the job is then finished.
    func beginEntry(_ job: LeasedJob) async throws(WorkError) -> StoredEntry
    /// verify is done: true facts in, `transcribe` enqueued.
    func finishVerify(_ job: LeasedJob, facts: MediaFacts, size: Int64, sha256: [UInt8], next: JobID) async throws(WorkError)
    /// transcribe is done: raw text and segments in, `clean` enqueued.
    func finishTranscribe(
        _ job: LeasedJob, machine: SealedResult, segments: SealedResult, language: String, next: JobID) async throws(WorkError)
    func segments(_ entry: EntryID, of owner: Owner) async throws(WorkError) -> SealedColumn?
    /// clean is done: the entry is `transcribed`.
    func finishClean(_ job: LeasedJob, machine: SealedResult) async throws(WorkError)

    // export
    func beginExport(_ job: LeasedJob) async throws(WorkError) -> (Export, StoredProfile)
    /// One consistent snapshot of the range, ordered by time and id, in pages; `page` is called until it throws or all is read.
    func readExport(_ export: Export, of owner: Owner, page: @escaping @Sendable ([StoredEntry]) async throws -> Void) async throws
    /// export is done: the zip is named, the mail and its job are inserted.
    func finishExport(
        _ job: LeasedJob, object: UUID, keyID: UUID, size: Int64, entryCount: Int, expiresAt: Date, mail: QueuedMail, mailJob: JobID)
        async throws(WorkError)

    // mail
    func beginMail(_ job: LeasedJob) async throws(WorkError) -> QueuedMail
    func finishMail(_ job: LeasedJob) async throws(WorkError)
}
