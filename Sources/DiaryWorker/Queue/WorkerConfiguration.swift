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

/// How many jobs of a queue a worker runs at once. Short and long jobs have slots of their own, so that neither waits for the other.
package struct QueueSlots: Equatable, Sendable {
    package let short: Int
    package let long: Int
    /// Slots among the short ones for accounts that used little of the queue of late.
    package let light: Int
    /// The most short jobs of one account: half of the slots unless it is said, so that one account never fills the queue.
    package let account: Int

    /// - Parameters: at least one slot of each class; of a single short slot none is kept for light accounts.
    package init(short: Int, long: Int = 1, light: Int = 0, account: Int? = nil) {
        self.short = max(1, short)
        self.long = max(1, long)
        self.light = min(max(0, light), self.short - 1)
        self.account = account ?? max(1, self.short / 2)
    }

    /// A third as many slots for long recordings; half of the short ones are kept for light accounts.
    package static func speech(_ slots: Int) -> QueueSlots { QueueSlots(short: slots, long: slots / 3, light: slots / 2) }

    func count(isLong: Bool) -> Int { isLong ? long : short }

    func account(isLong: Bool) -> Int { isLong ? max(1, long / 2) : account }

    /// The most jobs of accounts that are not light.
    func heavy(isLong: Bool) -> Int { isLong ? long : short - light }
}
