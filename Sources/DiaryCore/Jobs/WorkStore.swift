package import FoundationEssentials

/// A job under lease. `attempt` is the fencing token: every write carries it (D2).
package struct LeasedJob: Sendable, Hashable {
    package let id: JobID
    package let owner: Owner
    package let kind: JobKind
    package let subject: UUID
    package let attempt: Int
    /// Tries that failed so far.
    package let errors: Int
    package let crashes: Int

    package init(id: JobID, owner: Owner, kind: JobKind, subject: UUID, attempt: Int, errors: Int, crashes: Int) {
        self.id = id
        self.owner = owner
        self.kind = kind
        self.subject = subject
        self.attempt = attempt
        self.errors = errors
        self.crashes = crashes
    }
}

/// The lease went to another worker, or the owner's key or entry is gone: nothing was written, and nothing is to be done.
package enum WorkError: Error, Sendable, Equatable {
    case leaseLost
    case ownerGone
    case unavailable(DiaryError)

    /// The database is away, or could not do this in its time.
    package var isOutage: Bool { if case .unavailable(let cause) = self { cause.code == .unavailable } else { false } }
}

/// Words a worker sealed: the part, its new version and the version it replaces.
package struct SealedResult: Sendable {
    package var sealed: [UInt8]
    package var version: Int64
    package var keyID: UUID

    package init(sealed: [UInt8], version: Int64, keyID: UUID) {
        self.sealed = sealed
        self.version = version
        self.keyID = keyID
    }
}

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

/// What the sweeper sees: ids and times.
package struct AwaitingUpload: Sendable {
    package var owner: Owner
    package var entry: EntryID
    package var object: UUID
    package var size: Int64
    package var createdAt: Date

    package init(owner: Owner, entry: EntryID, object: UUID, size: Int64, createdAt: Date) {
        self.owner = owner
        self.entry = entry
        self.object = object
        self.size = size
        self.createdAt = createdAt
    }
}

package protocol SweepStore: Sendable {
    /// A page in order of time and id.
    /// - Parameter after: where the page before ended; nil for the first.
    func awaitingUploads(
        olderThanSeconds: Double, after: (createdAt: Date, entry: EntryID)?, limit: Int
    ) async throws(WorkError) -> [AwaitingUpload]
    /// The sweeper's `complete`, when the recording arrived and the app was killed.
    func completeUpload(_ upload: AwaitingUpload, size: Int64, job: JobID) async throws(WorkError)
    /// Nothing arrived in a day: `failed` with `upload_expired`.
    /// - Parameter arrivedBefore: what arrived earlier than that and is not there was lost.
    /// - Returns: false when it has arrived since, or its entry no longer waits.
    func abandonUpload(_ upload: AwaitingUpload, arrivedBefore: Date) async throws(WorkError) -> Bool
    func endedExports(limit: Int) async throws(WorkError) -> [(owner: Owner, export: ExportID, object: UUID)]
    func forgetZip(_ export: ExportID, of owner: Owner) async throws(WorkError)
    /// Of these, the ones no row wants where they lie: a recording in staging only until it is verified.
    func orphans(among keys: [ObjectKey]) async throws(WorkError) -> [ObjectKey]
    /// Deletes what is old, up to `most` rows of each kind.
    /// - Returns: whether there was so much of one that there may be more.
    func sweepBookkeeping(most: Int) async throws(WorkError) -> Bool
    /// Deletes up to `most` tombstones that are older than their app keeps them.
    /// - Returns: whether there may be more.
    func sweepTombstones(most: Int) async throws(WorkError) -> Bool
    /// Codes that Apple takes no longer, and revocations that failed for too long.
    func sweepAppleGrants() async throws(WorkError)
}
