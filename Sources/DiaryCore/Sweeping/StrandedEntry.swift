/// An entry that waits without a job.
package struct StrandedEntry: Sendable, Equatable {
    package var owner: Owner
    package var entry: EntryID
    /// The stage that it waits for.
    package var kind: JobKind

    package init(owner: Owner, entry: EntryID, kind: JobKind) {
        self.owner = owner
        self.entry = entry
        self.kind = kind
    }
}
