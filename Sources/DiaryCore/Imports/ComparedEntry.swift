package import FoundationEssentials

/// What the account has of an entry that a zip has too, to be compared.
package struct ComparedEntry: Sendable, Equatable {
    package var recordedAt: Date
    package var favorite: Bool
    package var personal: SealedColumn?
    package var machine: SealedColumn?

    package init(recordedAt: Date, favorite: Bool, personal: SealedColumn?, machine: SealedColumn?) {
        self.recordedAt = recordedAt
        self.favorite = favorite
        self.personal = personal
        self.machine = machine
    }
}
