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

/// Rows that end by their age. The SQL function `sweep_` and the name, `(most int) returns bigint`, stands with the feature's tables and deletes
/// up to so many of them.
package enum RowSweep: String, Sendable, CaseIterable {
    case jobs, tombstones, sessions, mails, deletions
    case apiTokens = "api_tokens"
    /// Deleted ones that no recording shows.
    case speakerProfiles = "speaker_profiles"
    case queueUse = "queue_use"
    case speechParts = "speech_parts"
    case usageDays = "usage_days"
    case usageReservations = "usage_reservations"
    case exportRows = "export_rows"
    case importRows = "import_rows"
    /// Imports whose zips did not arrive in their window: they fail with `upload_expired`.
    case importUploads = "import_uploads"
    case idempotencyKeys = "idempotency_keys"
    case emailCodes = "email_codes"
    case mailEvents = "mail_events"
    case mailBounces = "mail_bounces"
    case auditEvents = "audit_events"
    case signInChallenges = "sign_in_challenges"
    case providerNotices = "provider_notices"
    case appleGrants = "apple_grants"
    /// Codes that Apple no longer accepts.
    case appleCodes = "apple_codes"
}

/// Rows that still name objects which are no longer wanted. The SQL function `sweep_` and the name finds them; they forget what is deleted.
package enum EndedObjects: String, Sendable, CaseIterable {
    /// Zips of exports that have ended, and what the building of exports kept.
    case exportParts = "export_parts"
    case imports
    /// Recordings that their rows say are removed.
    case removedAudio = "removed_audio"
}

package struct EndedObject: Sendable, Equatable {
    package var owner: Owner
    /// The id of the export, import or entry.
    package var id: UUID
    package var object: UUID
    /// Every key at which its bytes may be stored.
    package var keys: [ObjectKey]

    package init(owner: Owner, id: UUID, object: UUID, keys: [ObjectKey]) {
        self.owner = owner
        self.id = id
        self.object = object
        self.keys = keys
    }
}

/// An entry that waits without a job.
package struct StrandedEntry: Sendable, Equatable {
    package var owner: Owner
    package var entry: EntryID
    /// The stage that it waits for.
    package var kind: JobKind

    package init(owner: Owner, entry: EntryID, kind: JobKind) {
        self.owner = owner
        self.entry = entry
        self.kind = kind
    }
}

/// An account that is a week old, as the search for unconfirmed sign-ups sees it.
package struct AgedSignUp: Sendable, Equatable {
    package var owner: Owner
    package var createdAt: Date
    /// Nothing of it was ever confirmed, and no code for that still lives.
    package var isAbandoned: Bool

    package init(owner: Owner, createdAt: Date, isAbandoned: Bool) {
        self.owner = owner
        self.createdAt = createdAt
        self.isAbandoned = isAbandoned
    }
}

/// What the database answers when a sweep begins.
package struct NotedSweep: Sendable, Equatable {
    package enum Finding: String, Sendable, CaseIterable {
        /// The database is older than it was. It has begun a new sync epoch, and keeps the objects of the lost time.
        case restored
        /// No worker has swept for a while, so a restore in that time would not show: the objects of that time are kept.
        case unobserved
    }

    /// To be written beside the objects.
    package var number: Int64
    package var finding: Finding? = nil

    package init(number: Int64, finding: Finding? = nil) {
        self.number = number
        self.finding = finding
    }
}

/// The number of the last sweep beside the objects. The database counts the sweeps; when it is behind the number here, an older database
/// was restored, and recordings that it does not name may be named by a newer dump.
package protocol SweepMarks: Sendable {
    /// 0 when none was written yet.
    func number() async throws(ObjectStoreError) -> Int64
    func write(_ number: Int64) async throws(ObjectStoreError)
}
