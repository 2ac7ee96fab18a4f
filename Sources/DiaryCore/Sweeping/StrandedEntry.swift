/// An entry that waits without a job.
package struct StrandedEntry: Sendable, Equatable {
    package var owner: Owner
    package var entry: EntryID
    /// The stage that it waits for.
    package var kind: JobKind
}
