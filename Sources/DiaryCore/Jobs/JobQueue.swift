/// The queue of jobs, by the database role `diary_worker`: leases and tries, independent of what a job does. Lock order everywhere: the
/// user's `user_sync` row, then `jobs`.
package protocol JobQueue: Sendable {
    /// Leases ready jobs. The app that has recently used the queue least comes first, within it the account that has, within that the
    /// oldest job (decision 0029).
    func claim(_ claim: JobClaim) async throws(WorkError) -> [LeasedJob]
    /// - Parameter progress: percent of the work done, for jobs that report it.
    /// - Returns: the jobs still held.
    func renew(_ jobs: [LeasedJob], progress: [JobID: Int], leaseSeconds: Double) async throws(WorkError) -> Set<JobID>
    /// Makes jobs ready again at once and counts no try: for a graceful stop.
    func release(_ jobs: [LeasedJob]) async throws(WorkError)
    /// Makes a job ready again at once, with another estimate of the seconds that it takes, and counts no try.
    func release(_ job: LeasedJob, cost: Double) async throws(WorkError)
    /// Counts a failed try; the entry shows when the next one comes.
    func retry(_ job: LeasedJob, code: ProcessingCode, afterSeconds: Double) async throws(WorkError)
    /// Counts no try, because no provider was called or the one that is needed is down. The entry shows when the next try comes.
    func postpone(_ job: LeasedJob, code: ProcessingCode, afterSeconds: Double) async throws(WorkError)
    /// No more tries: a dead letter, visible as `failed` with the code on its entry, export or mail.
    func discard(_ job: LeasedJob, code: ProcessingCode) async throws(WorkError)
    /// Ends expired leases: the crash is counted, and the job is ready again (or discarded as `processing_crashed` at `maxCrashes`). Jobs
    /// of kinds that this version does not have are left to the version that has them.
    /// - Returns: the kinds with jobs that are ready again.
    func rescue(limit: Int, maxCrashes: Int) async throws(WorkError) -> [JobKind]
}

extension JobQueue {
    package func renew(_ jobs: [LeasedJob], leaseSeconds: Double) async throws(WorkError) -> Set<JobID> {
        try await renew(jobs, progress: [:], leaseSeconds: leaseSeconds)
    }
}
