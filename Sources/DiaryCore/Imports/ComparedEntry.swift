package import FoundationEssentials

/// The account's version of an entry that is also in the zip, for comparison.
package struct ComparedEntry: Sendable, Equatable {
    package var recordedAt: Date
    package var favorite: Bool
    /// It was imported without the recording that its zip named. One that was removed here has its digest.
    package var lacksRecording: Bool
    package var personal: SealedColumn?
    package var machine: SealedColumn?

    package init(recordedAt: Date, favorite: Bool, lacksRecording: Bool, personal: SealedColumn?, machine: SealedColumn?) {
        self.recordedAt = recordedAt
        self.favorite = favorite
        self.lacksRecording = lacksRecording
        self.personal = personal
        self.machine = machine
    }
}
