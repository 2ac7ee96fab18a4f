package import FoundationEssentials

/// An entry that waits for its recording, as the sweeper sees it.
package struct AwaitingUpload: Sendable {
    package var owner: Owner
    package var entry: EntryID
    package var object: UUID
    package var size: Int64
    package var createdAt: Date

    package init(owner: Owner, entry: EntryID, object: UUID, size: Int64, createdAt: Date) {
        self.owner = owner
        self.entry = entry
        self.object = object
        self.size = size
        self.createdAt = createdAt
    }
}

package protocol SweepStore: Sendable {
    /// A page in order of creation time and id.
    /// - Parameter after: the last upload of the page before; nil for the first page.
    func awaitingUploads(
        olderThanSeconds: Double, after: (createdAt: Date, entry: EntryID)?, limit: Int
    ) async throws(WorkError) -> [AwaitingUpload]
    /// Completes an upload whose app was killed before it could.
    func completeUpload(_ upload: AwaitingUpload, size: Int64, job: JobID) async throws(WorkError)
    /// Fails the entry with `upload_expired`, because nothing was uploaded in a day.
    /// - Parameter arrivedBefore: an upload that was marked as arrived earlier than this, and is missing, was lost and is given up too.
    /// - Returns: false when the upload has arrived since, or its entry no longer waits.
    func abandonUpload(_ upload: AwaitingUpload, arrivedBefore: Date) async throws(WorkError) -> Bool
    func endedExports(limit: Int) async throws(WorkError) -> [(owner: Owner, export: ExportID, object: UUID)]
    func forgetZip(_ export: ExportID, of owner: Owner) async throws(WorkError)
    /// Those of the keys that no row refers to. A row refers to a staging key only until the recording is verified.
    func orphans(among keys: [ObjectKey]) async throws(WorkError) -> [ObjectKey]
    /// Deletes old bookkeeping rows, up to `most` of each kind.
    /// - Returns: whether a kind reached `most`, so that there may be more.
    func sweepBookkeeping(most: Int) async throws(WorkError) -> Bool
    /// Deletes up to `most` tombstones that are older than the tenant's retention.
    /// - Returns: whether there may be more.
    func sweepTombstones(most: Int) async throws(WorkError) -> Bool
    /// Deletes codes that Apple no longer accepts, and revocations that failed for too long.
    func sweepAppleGrants() async throws(WorkError)
}
