// The memberwise initialisers of this target's package structs that have none of their own. `scripts/initialisers` writes this file.
//
// The last parameter, which is never given, tells each from the one that the compiler writes for the target alone.

package import DiaryCore
package import Logging

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

extension DiarySweeps {
    package init(
        store: any SweepStore, objects: any ObjectStore, parts: any UploadParts, keys: DataKeys, serviceKeys: ServiceKeys,
        jobSignals: any JobSignals, limits: Limits, clock: WallClock = .system, logger: Logger, _: Void = ()
    ) {
        self.store = store
        self.objects = objects
        self.parts = parts
        self.keys = keys
        self.serviceKeys = serviceKeys
        self.jobSignals = jobSignals
        self.limits = limits
        self.clock = clock
        self.logger = logger
    }
}
