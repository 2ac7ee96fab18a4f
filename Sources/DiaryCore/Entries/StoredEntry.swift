/// An entry as the database holds it: facts in the clear, text sealed.
package struct StoredEntry: Sendable {
    package var facts: EntryFacts
    package var personal: SealedColumn?
    package var machine: SealedColumn?

    package init(facts: EntryFacts, personal: SealedColumn?, machine: SealedColumn?) {
        self.facts = facts
        self.personal = personal
        self.machine = machine
    }

    /// What If-Match compares: incremented by the owner's own changes only (decision D15).
    package var version: Int64 { personal?.version ?? 0 }
}
