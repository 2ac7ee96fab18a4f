// The memberwise initialisers of this target's package structs that have none of their own. `scripts/initialisers` writes this file.
//
// The last parameter, which is never given, tells each from the one that the compiler writes for the target alone.

package import DiaryCore

extension JobStop {
    package init(outcome: JobOutcome, cause: String?, _: Void = ()) {
        self.outcome = outcome
        self.cause = cause
    }
}

extension WorkerConfiguration {
    package init(name: String, slots: [QueueName: QueueSlots], limits: Limits, _: Void = ()) {
        self.name = name
        self.slots = slots
        self.limits = limits
    }
}
