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

/// What a worker asks of a queue.
package struct JobClaim: Sendable {
    package var queue: QueueName
    package var kinds: [JobKind]
    /// Jobs at most.
    package var limit: Int
    /// Host and process.
    package var worker: String
    package var leaseSeconds: Double
    /// Long jobs, or short ones (`LeasedJob.isLong`): each class has slots of its own.
    package var isLong = false
    /// The most jobs of the class that this worker may run of one account at the same time; running ones count.
    package var accountMost = Int.max
    /// The most jobs of accounts that recently used five seconds or more of the queue's class; running ones count.
    package var heavyMost = Int.max
    /// What ended jobs took beyond their estimates.
    package var corrections: [QueueCharge] = []

    package init(_ kinds: [JobKind], of queue: QueueName, limit: Int, worker: String, leaseSeconds: Double) {
        self.queue = queue
        self.kinds = kinds
        self.limit = limit
        self.worker = worker
        self.leaseSeconds = leaseSeconds
    }
}

/// The name of a queue: the kinds of jobs that share a worker's slots. Claims share a queue out between apps and accounts.
package struct QueueName: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    package let rawValue: String

    package init(rawValue: String) { self.rawValue = rawValue }

    package var description: String { rawValue }

    /// Decoding a recording to examine it.
    package static let media = QueueName(rawValue: "media")
    /// Recognition, which takes whole processors.
    package static let speech = QueueName(rawValue: "speech")
    /// Work on words.
    package static let text = QueueName(rawValue: "text")
    package static let exports = QueueName(rawValue: "exports")
    package static let imports = QueueName(rawValue: "imports")
    /// Nothing else, so that no recording and no export delays a code to sign in.
    package static let mail = QueueName(rawValue: "mail")
}

/// What an ended job took of its queue beyond the estimate that was charged at its claim.
package struct QueueCharge: Sendable, Equatable {
    package let owner: Owner
    /// Short and long jobs are counted apart.
    package let isLong: Bool
    /// Negative when the job took less.
    package let milliseconds: Int64

    package init(_ job: LeasedJob, took elapsed: Duration) {
        let (seconds, attoseconds) = elapsed.components
        owner = job.owner
        isLong = job.isLong
        // A cost is a small number of seconds; a day bounds both, so that no sum overflows.
        milliseconds =
            min(seconds, 86_400) * 1_000 + attoseconds / 1_000_000_000_000_000 - Int64(min(max(job.cost, 0), 86_400) * 1_000)
    }
}

/// Signals from the process that committed a job to the workers. A lost signal costs latency, never a job (decision D1).
package protocol JobSignals: Sendable {
    /// Returns at once and reports no failure, also when Redis is unavailable.
    func jobCommitted(_ kind: JobKind)
    /// Returns when a signal for one of `kinds` came or `timeout` seconds passed, whichever is first.
    func waitForWork(_ kinds: [JobKind], timeout: Double) async
}
