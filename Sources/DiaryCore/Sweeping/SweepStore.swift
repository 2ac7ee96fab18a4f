package import FoundationEssentials

/// What sweeps read and write, by the database role `diary_worker`.
package protocol SweepStore: Sendable {
    /// Counts a sweep.
    /// - Parameters:
    ///   - stored: the number beside the objects (`SweepMarks`).
    ///   - isFirst: of its process.
    ///   - awaySeconds: without any sweep, after which a restore may have gone unseen.
    func noteSweep(stored: Int64, isFirst: Bool, awaySeconds: Double) async throws(WorkError) -> NotedSweep
    /// Objects that came to their keys in these times stay until an operator releases them, although no row names them.
    func keptTimes() async throws(WorkError) -> [ClosedRange<Date>]
    /// - Returns: how many rows have ended; `most` when there may be more.
    func end(_ rows: RowSweep, most: Int) async throws(WorkError) -> Int

    /// A page in order of time and id.
    /// - Parameter after: where the page before ended; nil for the first.
    func awaitingUploads(olderThanSeconds: Double, after: UploadPlace?, limit: Int) async throws(WorkError) -> [AwaitingUpload]
    /// Entries that expired within the last day, in order of expiry and id: a bucket may have received the recording since.
    /// - Parameter after: where the page before ended; nil for the first.
    func lateUploads(after: UploadPlace?, limit: Int) async throws(WorkError) -> [AwaitingUpload]
    /// In order of their entries.
    func awaitingParts(after: EntryID?, limit: Int) async throws(WorkError) -> [AwaitingParts]
    /// Completes an upload whose recording has arrived and whose app did not report it. An entry that waits for another object meanwhile stays.
    func completeUpload(_ upload: AwaitingUpload, size: Int64, job: NewJob) async throws(WorkError)
    /// Marks an entry whose recording did not arrive in its window as `failed` with `upload_expired`.
    /// - Parameters:
    ///   - now: an entry whose window was renewed since it was read, and ends later, stays.
    ///   - arrivedBefore: a recording that was marked as arrived before this time, and is not in the store, was lost.
    ///   - object: replaces the entry's object, when one of another size is stored: no upload overwrites it.
    /// - Returns: false when it has arrived since, or its entry no longer waits for it.
    @discardableResult
    func abandonUpload(_ upload: AwaitingUpload, at now: Date, arrivedBefore: Date, object: UUID?) async throws(WorkError) -> Bool

    /// Entries that wait for a stage and have no job for it, unchanged for this many seconds.
    func stranded(olderThanSeconds: Double, limit: Int) async throws(WorkError) -> [StrandedEntry]
    /// Makes the job of the entry's stage, unless it has one by now or waits for none.
    /// - Returns: whether it did.
    func mend(_ stranded: StrandedEntry, job: JobID) async throws(WorkError) -> Bool

    /// Entries whose time in the trash has ended.
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

    func ended(_ kind: EndedObjects, limit: Int) async throws(WorkError) -> [EndedObject]
    /// The objects are deleted.
    func forget(_ ended: EndedObject, of kind: EndedObjects) async throws(WorkError)
    /// Finds the objects, among these, that no row refers to at their key: a recording belongs in staging only until it is verified.
    func orphans(among keys: [ObjectKey]) async throws(WorkError) -> [ObjectKey]
    /// Finds the uploads, among these, that no waiting entry has.
    func orphans(among uploads: [StoredPartUpload]) async throws(WorkError) -> [StoredPartUpload]

    /// A page of accounts that are a week old, in order of time and id.
    /// - Parameter after: where the page before ended; nil for the first.
    func signUps(after: AgedSignUp?, limit: Int) async throws(WorkError) -> [AgedSignUp]
    /// - Returns: false, and nothing written, when it is no unconfirmed sign-up any more.
    @discardableResult
    func requestErasure(ofSignUp owner: Owner, _ deletion: NewDeletion) async throws(WorkError) -> Bool
}
