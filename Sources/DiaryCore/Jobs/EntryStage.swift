/// One stage in the work on an entry.
package struct EntryStage: Sendable, Equatable {
    /// The entry's status between the end of the stage before and the start of this one.
    package var waiting: EntryStatus
    /// The entry's status while the job runs.
    package var running: EntryStatus
    /// Where the work starts again when the owner retries an entry that failed in this stage.
    package var retriedFrom: JobKind
}
