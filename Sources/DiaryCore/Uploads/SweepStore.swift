package import FoundationEssentials

/// What the sweeper sees: ids and times.
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
    /// A page in order of time and id.
    /// - Parameter after: where the page before ended; nil for the first.
    func awaitingUploads(
        olderThanSeconds: Double, after: (createdAt: Date, entry: EntryID)?, limit: Int
    ) async throws(WorkError) -> [AwaitingUpload]
    /// The sweeper's `complete`, when the recording arrived and the app was killed.
    func completeUpload(_ upload: AwaitingUpload, size: Int64, job: JobID) async throws(WorkError)
    /// Nothing arrived in a day: `failed` with `upload_expired`.
    /// - Parameter arrivedBefore: what arrived earlier than that and is not there was lost.
    /// - Returns: false when it has arrived since, or its entry no longer waits.
    func abandonUpload(_ upload: AwaitingUpload, arrivedBefore: Date) async throws(WorkError) -> Bool
    func endedExports(limit: Int) async throws(WorkError) -> [(owner: Owner, export: ExportID, object: UUID)]
    func forgetZip(_ export: ExportID, of owner: Owner) async throws(WorkError)
    /// Of these, the ones no row wants where they lie: a recording in staging only until it is verified.
    func orphans(among keys: [ObjectKey]) async throws(WorkError) -> [ObjectKey]
    /// Deletes what is old, up to `most` rows of each kind.
    /// - Returns: whether there was so much of one that there may be more.
    func sweepBookkeeping(most: Int) async throws(WorkError) -> Bool
    /// Deletes up to `most` tombstones that are older than their app keeps them.
    /// - Returns: whether there may be more.
    func sweepTombstones(most: Int) async throws(WorkError) -> Bool
    /// Codes that Apple takes no longer, and revocations that failed for too long.
    func sweepAppleGrants() async throws(WorkError)
}
