package import FoundationEssentials

/// Exports under their jobs, by the database role `diary_worker`.
package protocol ExportBuildStore: Sendable {
    /// `ownerGone` when it was revoked; the job is then finished.
    func beginExport(_ job: LeasedJob) async throws(WorkError) -> (Export, StoredProfile)
    func coloredTags(of owner: Owner) async throws(WorkError) -> [StoredTag]
    /// Reads one consistent snapshot. All of its three parts are called in this order, until one throws or all is read.
    /// - Parameter export: opened (`Export.opened(by:)`), for its tags' hashes.
    /// - Parameter began: called once, first.
    /// - Parameter deleted: called with pages of what was deleted after `selection.changedAfter`, in the order of its change; entries in the
    ///   trash count as deleted. Not called without an earlier snapshot.
    /// - Parameter page: called with pages of the selected entries by time and id, of about 4 MiB of sealed parts each. With tags they are candidates, which
    ///   `Export.confirms` decides on when they are opened.
    func readExport(
        _ export: Export, of owner: Owner, began: @escaping @Sendable (ExportSnapshot) async throws -> Void,
        deleted: @escaping @Sendable ([DeletedEntry]) async throws -> Void,
        page: @escaping @Sendable ([StoredExportEntry]) async throws -> Void
    ) async throws
    /// What an earlier try saved; nil when it saved nothing, and for an export that begins anew after it failed.
    func checkpoint(of export: ExportID, of owner: Owner) async throws(WorkError) -> ExportCheckpoint?
    /// Saves the id of the stored object that says what the snapshot held, and how many entries each part has. Not called for a single part.
    func saveCheckpoint(_ job: LeasedJob, object: UUID, keyID: UUID, entries: [Int]) async throws(WorkError)
    /// The next try begins with another snapshot.
    /// - Returns: the objects that no row names any more.
    func discardCheckpoint(_ job: LeasedJob) async throws(WorkError) -> [UUID]
    /// Stores a part's key. `ownerGone` when the export was revoked.
    func finishPart(_ job: LeasedJob, part: Int, entries: Int, object: UUID, keyID: UUID, size: Int64) async throws(WorkError)
    /// - Returns: false when the export was revoked, or the lease is lost.
    func note(_ progress: ExportProgress, _ job: LeasedJob) async throws(WorkError) -> Bool
    /// Ends an export whose parts are all finished, and inserts the mail and its job, where a mail was asked for and there are
    /// entries. The next export of its schedule has what changed after this one.
    /// - Parameter changesUpto: of the snapshot (`ExportSnapshot`); the least is kept where the zip is of more than one.
    /// - Parameter kept: where the app lets schedules keep zips; nil: the zip ends as others do.
    /// - Returns: the kind of the job that was committed; nil when there is no mail, also of an export that was revoked meanwhile.
    func finishExport(
        _ job: LeasedJob, keyID: UUID, size: Int64, entryCount: Int, changesUpto: Int64, expiresAt: Date, kept: KeptZip?, mail: QueuedMail
    ) async throws(WorkError) -> JobKind?
}

/// What is known of a snapshot before its entries are read.
package struct ExportSnapshot: Sendable, Equatable {
    /// The account's change number: every change up to it is in the snapshot, and none after it. An export of what changed since begins here.
    package var changesUpto: Int64
    /// Whether the entries that were deleted after the earlier snapshot are all known. Tombstones are removed by age (`sweep_tombstones`), so an
    /// earlier snapshot may be too old. True without an earlier one.
    package var knowsDeletions: Bool
    /// All speaker profiles of the account, deleted ones among them.
    package var profiles: [StoredSpeakerProfile]

    package init(changesUpto: Int64, knowsDeletions: Bool, profiles: [StoredSpeakerProfile] = []) {
        self.changesUpto = changesUpto
        self.knowsDeletions = knowsDeletions
        self.profiles = profiles
    }
}

/// What a try to build an export in several parts left for the next one: `exports.work_object_id` and the rows of `export_parts`.
package struct ExportCheckpoint: Sendable {
    package struct Part: Sendable {
        package var entryCount: Int
        /// nil until it is stored.
        package var object: UUID?
        package var sizeBytes: Int64?

        package init(entryCount: Int, object: UUID?, sizeBytes: Int64?) {
            self.entryCount = entryCount
            self.object = object
            self.sizeBytes = sizeBytes
        }
    }

    /// The sealed `ExportPlan` of the snapshot.
    package var object: UUID
    /// In order.
    package var parts: [Part]

    package init(object: UUID, parts: [Part]) {
        self.object = object
        self.parts = parts
    }
}

/// An entry that was deleted after the snapshot of an earlier export.
package struct DeletedEntry: Sendable, Equatable {
    package var id: EntryID
    package var deletedAt: Date

    package init(id: EntryID, deletedAt: Date) {
        self.id = id
        self.deletedAt = deletedAt
    }
}

/// How long the zip of a schedule with `keep_last` stays. Other zips end with their link.
package struct KeptZip: Sendable, Equatable {
    /// The latest end; a newer export of the schedule may end it earlier.
    package var until: Date
    /// How long it stays when its schedule is deleted, or keeps none any more.
    package var releasedSeconds: Int

    package init(until: Date, releasedSeconds: Int) {
        self.until = until
        self.releasedSeconds = releasedSeconds
    }
}
