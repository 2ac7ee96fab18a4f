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
