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
