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
}
