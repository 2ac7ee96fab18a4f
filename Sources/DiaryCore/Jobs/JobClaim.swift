/// What a worker asks of a queue.
package struct JobClaim: Sendable {
    package var queue: QueueName
    package var kinds: [JobKind]
    /// Jobs at most.
    package var limit: Int
    /// Host and process.
    package var worker: String
    package var leaseSeconds: Double
    /// Jobs of one account that this worker may run at once, those that it runs already included.
    package var accountMost = Int.max
    /// Long jobs among them at most (`LeasedJob.isLong`).
    package var longMost = Int.max
    /// Long jobs, and jobs of accounts that used five seconds or more of the queue of late, that this worker may run at once, those that it runs
    /// already included.
    package var heavyMost = Int.max
    /// Corrections of what ended jobs were charged.
    package var corrections: [QueueCharge] = []

    package init(_ kinds: [JobKind], of queue: QueueName, limit: Int, worker: String, leaseSeconds: Double) {
        self.queue = queue
        self.kinds = kinds
        self.limit = limit
        self.worker = worker
        self.leaseSeconds = leaseSeconds
    }
}
