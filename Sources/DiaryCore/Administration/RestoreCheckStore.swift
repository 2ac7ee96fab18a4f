package import DiaryCrypto
package import FoundationEssentials

/// Both databases, by the database role `diary_backup`, which reads everything and changes nothing. Pages are in order of their owners.
package protocol RestoreCheckStore: Sendable {
    func accounts(after: Owner?, limit: Int) async throws(DiaryError) -> [RestoredAccount]
    func keys(after: Owner?, limit: Int) async throws(DiaryError) -> [RestoredKey]
    /// Recordings that must be in the store, with their entries; one that has not arrived, or was refused, need not be.
    func recordings(after: NamedObject?, limit: Int) async throws(DiaryError) -> [NamedObject]
    /// Their copies for players.
    func copies(after: NamedObject?, limit: Int) async throws(DiaryError) -> [NamedObject]
    func zips(after: NamedObject?, limit: Int) async throws(DiaryError) -> [NamedObject]
    /// Zips that wait to be imported.
    func importedZips(after: NamedObject?, limit: Int) async throws(DiaryError) -> [NamedObject]
    func orphans(among keys: [ObjectKey]) async throws(DiaryError) -> [ObjectKey]
    func epoch() async throws(DiaryError) -> RestoredEpoch
    /// Token keys of the key database that the main database records as retired.
    func restoredTokenKeys() async throws(DiaryError) -> [String]
    /// The stored values by name (`KeyCheck.name`).
    func checkValues(_ names: [String]) async throws(DiaryError) -> [String: [UInt8]]
    /// Some accounts with a proved address: sealed, and its look-up hash.
    func addresses(limit: Int) async throws(DiaryError) -> [(owner: Owner, sealed: [UInt8], hash: [UInt8])]
    func wrappedKey(of owner: Owner) async throws(DiaryError) -> WrappedKey?
    /// Deletions that workers will carry out.
    func waitingDeletions() async throws(DiaryError) -> Int
}

package struct RestoredAccount: Sendable {
    package var owner: Owner
    /// Seals what is written for it.
    package var keyID: UUID
    /// It is being erased, so that its key may be gone already.
    package var isGoing: Bool

    package init(owner: Owner, keyID: UUID, isGoing: Bool) {
        self.owner = owner
        self.keyID = keyID
        self.isGoing = isGoing
    }
}

package struct RestoredKey: Sendable {
    package var owner: Owner
    package var key: WrappedKey
    package var createdAt: Date

    package init(owner: Owner, key: WrappedKey, createdAt: Date) {
        self.owner = owner
        self.key = key
        self.createdAt = createdAt
    }
}

package struct NamedObject: Sendable {
    package var owner: Owner
    /// The entry's or the export's.
    package var id: UUID
    package var object: UUID

    package init(owner: Owner, id: UUID, object: UUID) {
        self.owner = owner
        self.id = id
        self.object = object
    }
}

package struct RestoredEpoch: Sendable {
    /// The database was restored, or promoted, since its epoch began.
    package var isOld: Bool
    /// Times that the database has lost.
    package var lost: [ClosedRange<Date>]
    /// Times whose objects sweepers keep.
    package var kept: [ClosedRange<Date>]

    package init(isOld: Bool, lost: [ClosedRange<Date>], kept: [ClosedRange<Date>]) {
        self.isOld = isOld
        self.lost = lost
        self.kept = kept
    }
}
