package import DiaryCrypto
package import FoundationEssentials

/// What rows say of objects, by the database role `diary_backup`, which reads everything and changes nothing. Pages are in order of their
/// owners.
package protocol ObjectCheckStore: Sendable {
    /// Recordings that must be in the store, with their entries; one that has not arrived, was refused or was removed need not be.
    func recordings(after: NamedObject?, limit: Int) async throws(DiaryError) -> [NamedObject]
    /// Their copies for players, with their entries.
    func copies(after: NamedObject?, limit: Int) async throws(DiaryError) -> [NamedObject]
    func zips(after: NamedObject?, limit: Int) async throws(DiaryError) -> [NamedObject]
    /// Zips that wait to be imported.
    func importedZips(after: NamedObject?, limit: Int) async throws(DiaryError) -> [NamedObject]
    /// Finds the objects, among these, that no row wants at their keys.
    func orphans(among keys: [ObjectKey]) async throws(DiaryError) -> [ObjectKey]
    /// Times whose objects sweepers keep.
    func keptTimes() async throws(DiaryError) -> [ClosedRange<Date>]
    /// - Returns: nil without a digest, and when the row does not name the recording, or copy, any more.
    func digest(of recording: NamedObject) async throws(DiaryError) -> [UInt8]?
    func wrappedKey(of owner: Owner) async throws(DiaryError) -> WrappedKey?
}

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

/// A number of objects out of many, each as likely as the others, without keeping the others in memory (reservoir sampling).
struct ObjectSample {
    let most: Int
    private(set) var chosen: [NamedObject] = []
    private var offered = 0

    init(_ most: Int) { self.most = most }

    mutating func offer(_ object: NamedObject) {
        offered += 1
        if chosen.count < most {
            chosen.append(object)
        } else if most > 0 {
            let place = Int.random(in: 0..<offered)
            if place < most { chosen[place] = object }
        }
    }
}
