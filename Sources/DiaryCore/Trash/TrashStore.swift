package import FoundationEssentials

package enum RestoreOutcome: Sendable {
    /// As it is now, and the kind of the job that was inserted in the same transaction: an entry whose work was not finished goes on at its
    /// stage.
    case restored(StoredEntry, job: JobKind?)
    /// It is not in the trash. As it is.
    case already(StoredEntry)
    /// Left in the trash: its work goes on with a job, and none was given.
    case needsJob
    case missing
}

/// Deleted entries that can be restored, by the database role `diary_api`. For every other store they are deleted.
package protocol TrashStore: Sendable {
    /// Does what `EntryStore.delete` does, but the entry keeps its words and its recording.
    func moveToTrash(
        _ id: EntryID, expecting version: Int64?, days: Int, keyID: UUID, by member: Member
    ) async throws(DiaryError) -> RemovalOutcome
    /// Several of a batch, in one transaction.
    func moveToTrash(_ ids: [EntryID], days: Int, keyID: UUID, by member: Member) async throws(DiaryError) -> [BatchDeletion]
    /// Newest deletion first.
    func trash(before position: ListPosition?, limit: Int, of member: Member) async throws(DiaryError) -> EntryPage
    /// - Parameter job: of an entry whose work was not finished; with nil such an entry stays where it is.
    func restore(_ id: EntryID, keyID: UUID, job: JobID?, by member: Member) async throws(DiaryError) -> RestoreOutcome
    /// Deletes the words of an entry in the trash; its tombstone stays as it was.
    func endTrash(_ id: EntryID, expecting version: Int64?, keyID: UUID, by member: Member) async throws(DiaryError) -> RemovalOutcome
}
