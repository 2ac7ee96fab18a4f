package import FoundationEssentials

/// The account's version of an entry that is also in the zip, for comparison.
package struct ComparedEntry: Sendable, Equatable {
    package var recordedAt: Date
    package var favorite: Bool
    package var hasRecording: Bool
    package var personal: SealedColumn?
    package var machine: SealedColumn?
}
