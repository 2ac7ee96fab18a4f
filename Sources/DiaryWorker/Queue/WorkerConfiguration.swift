package import DiaryCore

/// How much one worker process does at once.
package struct WorkerConfiguration: Sendable {
    /// Host and process, written into each lease for the operator.
    package var name: String
    /// How many jobs of a queue run at once.
    package var slots: [QueueName: Int]
    /// Slots of a queue for short jobs of accounts that recently used little of the queue.
    package var lightSlots: [QueueName: Int] = [:]
    /// Slots more of a queue while its jobs are quick: of one whose jobs mostly wait.
    package var quickSlots: [QueueName: Int] = [:]
    package var limits: Limits
    /// How long a call to a server takes before its job lends its slot to another job.
    package var lendSeconds = 30.0
}
