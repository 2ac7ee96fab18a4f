package import FoundationEssentials

/// The jobs of one kind in one state.
package struct JobCount: Sendable, Equatable {
    package var kind: JobKind
    package var state: String
    package var jobs: Int
    /// Jobs that could run now.
    package var due: Int
    /// Since when the oldest of them waits.
    package var oldestDue: Date?

    package init(kind: JobKind, state: String, jobs: Int, due: Int, oldestDue: Date?) {
        self.kind = kind
        self.state = state
        self.jobs = jobs
        self.due = due
        self.oldestDue = oldestDue
    }
}
