package import FoundationEssentials

/// Recordings that are removed while their texts stay, by the database role `diary_api`.
package protocol AudioRemovalStore: Sendable {
    /// Marks the recording of a finished entry as removed. Its object is deleted after this has been committed.
    /// - Parameter version: what If-Match named; nil for any version.
    /// - Returns: the entry with its copy; `conflict` also for an entry that is not finished, has no recording, or none any more.
    func removeAudio(_ id: EntryID, expecting version: Int64?, keyID: UUID, by member: Member) async throws(DiaryError) -> WriteOutcome
    /// The objects of an entry's removed recording have been deleted. Until then the sweeper deletes them again.
    func forgetAudio(_ entry: EntryID, of owner: Owner) async throws(DiaryError)
}
