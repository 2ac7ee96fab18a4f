package import FoundationEssentials

/// How long the zip of a schedule with `keep_last` stays. Other zips end with their link.
package struct KeptZip: Sendable, Equatable {
    /// The latest end; a newer export of the schedule may end it earlier.
    package var until: Date
    /// How long it stays when its schedule is deleted, or keeps none any more.
    package var releasedSeconds: Int

    package init(until: Date, releasedSeconds: Int) {
        self.until = until
        self.releasedSeconds = releasedSeconds
    }
}
