/// A row and the store that do not fit together. Ids only.
package struct ObjectFinding: Sendable, Equatable {
    package enum Kind: String, Sendable, CaseIterable {
        /// A recording or zip that a row names is not in the store, or not whole.
        case missing = "missing_object"
        /// No row names it.
        case withoutRow = "object_without_row"
        /// A recording whose bytes do not open: they were altered, or sealed under another key.
        case damaged = "damaged_object"
        /// A recording that opens and has another SHA-256 than its row.
        case otherHash = "other_hash"
        /// The account's key is not there, or no master key opens it.
        case keyMissing = "key_missing"
    }

    package var kind: Kind
    package var owner: Owner
    /// The entry's or export's id; the key of an object that no row names.
    package var id: String
}
