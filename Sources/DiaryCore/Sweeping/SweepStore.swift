package import FoundationEssentials

package protocol SweepStore: Sendable {
    /// Counts a sweep.
    /// - Parameters:
    ///   - stored: the number beside the objects (`SweepMarks`).
    ///   - isFirst: of its process.
    ///   - awaySeconds: without any sweep, after which a restore may have gone unseen.
    func noteSweep(stored: Int64, isFirst: Bool, awaySeconds: Double) async throws(WorkError) -> NotedSweep
    /// Objects that came to their keys in these times stay until an operator releases them, although no row names them.
    func keptTimes() async throws(WorkError) -> [ClosedRange<Date>]
    /// A page in order of time and id.
    /// - Parameter after: where the page before ended; nil for the first.
    func awaitingUploads(
        olderThanSeconds: Double, after: (createdAt: Date, entry: EntryID)?, limit: Int
    ) async throws(WorkError) -> [AwaitingUpload]
    /// Entries that expired within the last day, in order of expiry and id: a bucket may have received the recording since.
    /// - Parameter after: where the page before ended; nil for the first.
    func lateUploads(after: (expiresAt: Date, entry: EntryID)?, limit: Int) async throws(WorkError) -> [AwaitingUpload]
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
    /// Zips of exports that have ended, and what the building of exports kept.
    func endedExportParts(limit: Int) async throws(WorkError) -> [(owner: Owner, export: ExportID, object: UUID)]
    /// The object has been deleted.
    func forgetPart(_ object: UUID, of export: ExportID, _ owner: Owner) async throws(WorkError)
    /// Ends imports whose zip was never completed, and takes old rows away.
    /// - Returns: imports that have ended, whose zips may be deleted.
    func endedImports(limit: Int) async throws(WorkError) -> [(owner: Owner, import: ImportID, object: UUID)]
    func forgetZip(of import: ImportID, _ owner: Owner) async throws(WorkError)
    /// Finds the objects, among these, that no row refers to at their key: a recording belongs in staging only until it is verified.
    func orphans(among keys: [ObjectKey]) async throws(WorkError) -> [ObjectKey]
    /// Deletes expired rows, up to `most` of each kind.
    /// - Returns: whether there may be more.
    func sweepBookkeeping(most: Int) async throws(WorkError) -> Bool
    /// Deletes up to `most` tombstones that are older than their app keeps them.
    /// - Returns: whether there may be more.
    func sweepTombstones(most: Int) async throws(WorkError) -> Bool
    /// Deletes codes that Apple no longer accepts, and revocations that failed for too long.
    func sweepAppleGrants() async throws(WorkError)
}
