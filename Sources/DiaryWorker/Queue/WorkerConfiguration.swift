package import DiaryCore

/// How much one worker process does at once.
package struct WorkerConfiguration: Sendable {
    /// Kinds that share slots.
    package struct Group: Sendable {
        package var kinds: [JobKind]
        package var slots: Int

        package init(kinds: [JobKind], slots: Int) {
            self.kinds = kinds
            self.slots = max(1, slots)
        }
    }

    /// Who holds the leases: host and process, for the operator's eyes.
    package var name: String
    package var groups: [Group]
    package var limits: Limits

    package init(name: String, groups: [Group], limits: Limits) {
        self.name = name
        self.groups = groups
        self.limits = limits
    }

    /// Recognition takes whole processors and has its own slots, so that it never keeps a mail waiting.
    package init(name: String, limits: Limits, speechSlots: Int = 1, generalSlots: Int = 4) {
        self.init(
            name: name,
            groups: [
                Group(kinds: [.transcribe], slots: speechSlots),
                Group(kinds: [.verify, .clean, .export, .mail], slots: generalSlots),
            ], limits: limits)
    }
}
