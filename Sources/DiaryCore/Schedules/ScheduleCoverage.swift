/// The entries of a run of a schedule. Stored and on the wire; raw values never change.
package enum ScheduleCoverage: String, Sendable, CaseIterable {
    case all
    /// Entries of the days from the run before to the day before this one.
    case period
    /// Entries that have changed since the snapshot of the schedule's last export that became ready.
    case changes
}
