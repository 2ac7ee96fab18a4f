package import FoundationEssentials

/// The end of a zip whose schedule keeps its last ones, in place of `expires_at` of others.
package struct KeptZip: Sendable, Equatable {
    /// At the latest: a newer export of the schedule ends it before.
    package var until: Date
    /// How long it stays when its schedule is deleted, or keeps none any more.
    package var releasedSeconds: Int

    package init(until: Date, releasedSeconds: Int) {
        self.until = until
        self.releasedSeconds = releasedSeconds
    }
}
