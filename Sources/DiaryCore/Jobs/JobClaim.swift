/// What a worker asks of a queue.
package struct JobClaim: Sendable {
    package var queue: QueueName
    package var kinds: [JobKind]
    /// Jobs at most.
    package var limit: Int
    /// Host and process.
    package var worker: String
    package var leaseSeconds: Double
    /// The most jobs of one account that this worker may run at the same time; running ones count.
    package var accountMost = Int.max
    /// Long jobs among them at most (`LeasedJob.isLong`).
    package var longMost = Int.max
    /// The most heavy jobs that this worker may run at the same time; running ones count. Heavy are long jobs, and jobs of accounts that
    /// recently used five seconds or more of the queue.
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
