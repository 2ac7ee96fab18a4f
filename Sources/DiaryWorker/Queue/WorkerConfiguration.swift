package import DiaryCore

/// How much one worker process does at once.
package struct WorkerConfiguration: Sendable {
    /// Host and process, written into each lease for the operator.
    package var name: String
    package var slots: [QueueName: QueueSlots]
    package var limits: Limits

    package init(name: String, slots: [QueueName: QueueSlots], limits: Limits) {
        self.name = name
        self.slots = slots
        self.limits = limits
    }
}
