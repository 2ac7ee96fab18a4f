/// What ends with time: entries in the trash, and recordings that are older than their accounts keep them. As `diary_worker`.
package protocol RetentionSweepStore: Sendable {
    func endedTrash(limit: Int) async throws(WorkError) -> [(owner: Owner, entry: EntryID)]
    /// Does what `TrashStore.endTrash` does, when the entry's time has ended.
    /// - Returns: the recording, whose objects are deleted after this; nil when the entry is not in the trash, or not yet to end.
    func endTrash(_ entry: EntryID, of owner: Owner) async throws(WorkError) -> RecordingObjects?
    /// Entries in the trash whose recordings no worker has checked, and entries whose check failed within the last week, in order of their ids.
    func uncheckedTrash(after: EntryID?, limit: Int) async throws(WorkError) -> [AwaitingUpload]
    /// The recording of an entry in the trash has arrived: its check begins when the entry is restored. An entry that waits for another object
    /// meanwhile stays.
    func arrivedInTrash(_ upload: AwaitingUpload) async throws(WorkError)
    /// Which of these objects in staging are of entries whose check has ended well, and which need nothing of staging any more.
    func checkedUploads(among keys: [ObjectKey]) async throws(WorkError) -> [ObjectKey]
    /// Finished recordings that have been here for longer than their accounts keep them.
    func overdueAudio(limit: Int) async throws(WorkError) -> [(owner: Owner, entry: EntryID)]
    /// Does what `AudioRemovalStore.removeAudio` does, unless the owner keeps the recording.
    /// - Returns: whether it did.
    func removeAudio(_ entry: EntryID, of owner: Owner) async throws(WorkError) -> Bool
    /// Removed recordings whose objects may still be there.
    func removedAudio(limit: Int) async throws(WorkError) -> [RemovedAudio]
    func forgetAudio(_ entry: EntryID, of owner: Owner) async throws(WorkError)
}

package struct RemovedAudio: Sendable {
    package var owner: Owner
    package var entry: EntryID
    package var recording: RecordingObjects
}
