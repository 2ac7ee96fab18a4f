package import FoundationEssentials

package enum CreateOutcome: Sendable {
    case created(StoredEntry)
    /// The request is a repetition (same idempotency key or same client-made id): the entry that the first one made.
    case replayed(StoredEntry)
    /// The idempotency key was used for a request with another hash.
    case keyReused
    /// The client-made id belongs to another entry of this member.
    case idTaken
    /// A repetition, and the entry that the first request made has been deleted since.
    case deleted
}

/// - Parameter Written: what was written, as it is now; of a removal as it was.
package enum StoredWrite<Written: Sendable>: Sendable {
    case written(Written)
    case missing
    /// It has another version than the write named. As it is now.
    case conflict(StoredEntry)
}

package typealias WriteOutcome = StoredWrite<StoredEntry>
/// Of a write after which objects are deleted.
package typealias RemovalOutcome = StoredWrite<StoredRecording>

package enum CompleteOutcome: Sendable {
    /// In processing again; a job of its stage (`processing.stage`) was inserted in the same transaction.
    case enqueued(StoredEntry)
    /// Already complete: nothing was done.
    case already(StoredEntry)
    case missing
}

/// A new upload window for an entry, and what is stored with it.
package struct UploadReopening: Sendable {
    package var keyID: UUID
    package var windowSeconds: Int
    /// For a recording that is uploaded again: URLs of the refused one no longer reach the entry.
    package var object: UUID
    /// What the account may store; nil without a limit. An expired entry is counted again.
    package var storageLimit: Int64?
}

/// The state of an upload, for the holder of its URL.
package enum UploadState: Sendable, Equatable {
    /// A live entry waits for the object.
    case awaiting
    /// Its entry no longer waits for it: uploaded, in processing, done or failed.
    case finished
    /// No live entry of an open account names it, or its entry failed because nothing arrived in time.
    case gone
}

/// Entries, by the database role `diary_api`: every call is one round trip, begins with the session check (`uploadState`, `uploadArrived`
/// and `linkGeneration` do not), and names tenant and user in each statement.
package protocol EntryStore: Sendable {
    /// - Throws: also `storageExceeded`, when it passes the storage limit, and `duplicateRecording`, which names the other entry; neither
    ///   for a repetition.
    func create(_ entry: NewEntry, by member: Member) async throws(DiaryError) -> CreateOutcome
    /// Several of a batch, none with a key; one transaction, which one over the storage limit or with a known recording stops
    /// (`storageExceeded`, `duplicateRecording`).
    /// - Returns: a replayed entry has no texts, which `entries` reads.
    func create(_ entries: [NewEntry], by member: Member) async throws(DiaryError) -> [CreateOutcome]
    /// Reads those of the entries that exist, by id, up to about 2 MiB of sealed text and at least one.
    func entries(_ ids: [EntryID], of member: Member) async throws(DiaryError) -> EntryPage
    func rewritePersonal(_ rewrites: [PersonalRewrite], keyID: UUID, by member: Member) async throws(DiaryError) -> [WriteOutcome]
    func delete(_ ids: [EntryID], keyID: UUID, by member: Member) async throws(DiaryError) -> [BatchDeletion]
    /// A tombstone counts as missing.
    func entry(_ id: EntryID, of member: Member) async throws(DiaryError) -> StoredEntry?
    func changes(from start: FeedStart, limit: Int, of member: Member) async throws(DiaryError) -> FeedOutcome
    /// Candidates for the filter's labels: every entry that has them, and some that do not.
    func list(_ query: DateQuery, of member: Member) async throws(DiaryError) -> EntryPage
    func onThisDay(_ query: OnThisDayQuery, of member: Member) async throws(DiaryError) -> EntryPage
    /// The days of the range that have entries, in order.
    func days(from: CalendarDay, to: CalendarDay, of member: Member) async throws(DiaryError) -> [DayCount]
    /// Compare-and-set on the personal part's version, and with corrections on the version of the segments; the text that it replaces is
    /// kept in the same transaction.
    func rewritePersonal(_ rewrite: PersonalRewrite, keyID: UUID, by member: Member) async throws(DiaryError) -> WriteOutcome
    /// Deletes text, segments and waiting jobs; the tombstone stays for the feed.
    /// - Parameter version: what If-Match named; nil deletes any version.
    func delete(_ id: EntryID, expecting version: Int64?, keyID: UUID, by member: Member) async throws(DiaryError) -> RemovalOutcome
    /// Without a session: the upload URL's signature has authenticated the caller.
    func uploadState(_ object: UUID, of owner: Owner) async throws(DiaryError) -> UploadState
    /// Records that the whole object is in the store. From then on no sweeper expires its entry; an entry that expired during the PUT waits
    /// again.
    /// - Returns: false when it will never be used: its entry was deleted or its account is being erased. A disabled account or a suspended
    ///   app keeps what it has.
    func uploadArrived(_ object: UUID, of owner: Owner) async throws(DiaryError) -> Bool
    /// Also of an entry that has expired: the caller has found its recording.
    /// - Parameter object: the one that the caller has found. The outcome is `already` also when the entry was reopened for another one.
    /// - Returns: with `hasParts`, whether this call has completed an upload that had a set of parts, which can be discarded.
    func completeUpload(
        _ id: EntryID, object: UUID, size: Int64, keyID: UUID, job: NewJob, by member: Member
    ) async throws(DiaryError) -> (outcome: CompleteOutcome, hasParts: Bool)
    /// A new window for an entry that waits, that has expired, or whose recording was refused with a code of `ProcessingCode.reuploadable`.
    /// - Returns: the entry, awaiting its upload; nil when it is in another state or missing.
    func reopenUpload(_ id: EntryID, _ reopening: UploadReopening, by member: Member) async throws(DiaryError) -> StoredEntry?
    /// A window for the recording of an entry whose recording stayed on the device.
    /// - Returns: the entry, awaiting its upload; nil when it is in another state or missing.
    /// - Throws: also `storageExceeded`, and `duplicateRecording`, which names the other entry.
    func openDeviceUpload(_ id: EntryID, _ upload: DeviceUpload, by member: Member) async throws(DiaryError) -> StoredEntry?
    /// Writes a client's words, with their segments, over what was read, keeps what they replace, and ends the jobs that the next one takes the
    /// place of.
    func giveTranscript(_ write: TranscriptWrite, keyID: UUID, by member: Member) async throws(DiaryError) -> WriteOutcome
    /// Restarts the processing of a failed entry, at the stage that it failed in.
    /// - Parameter limits: a recording that has failed as `budget_exceeded` and is longer than a day's minutes is not heard again, unless
    ///   parts of it are kept (`SpeechPartStore`).
    func retry(
        _ id: EntryID, within limits: UsageLimits, keyID: UUID, job: JobID, claim: KeyClaim?, by member: Member
    ) async throws(DiaryError) -> CompleteOutcome
    /// Starts a run of a finished entry, or of one whose recognition or cleaning failed, that has what the stage needs.
    /// - Parameter limits: as in `retry`.
    func reprocess(
        _ id: EntryID, _ run: NewRun, within limits: UsageLimits, keyID: UUID, job: JobID, claim: KeyClaim?, by member: Member
    ) async throws(DiaryError) -> CompleteOutcome
    /// - Parameter number: those below it.
    /// - Returns: nil for a missing entry.
    func revisions(
        of id: EntryID, _ layer: TextLayer, before number: Int64?, limit: Int, of member: Member
    ) async throws(DiaryError) -> RevisionPage?
    /// The sealed waveform of a recording, nil where none was made.
    /// - Returns: nil for a missing entry.
    func waveform(of id: EntryID, _ member: Member) async throws(DiaryError) -> (entry: StoredEntry, sealed: [UInt8]?)?
    /// With the account's link generation, which its playback links are signed with.
    func recording(_ id: EntryID, of member: Member) async throws(DiaryError) -> (recording: StoredRecording, linkGeneration: Int64)?
    /// Without a session: the link's signature has authenticated the caller. The generation of links that open the object; nil when no live
    /// entry of an open account names it.
    func linkGeneration(of object: UUID, _ owner: Owner) async throws(DiaryError) -> Int64?
    /// - Parameter timed: with the segments, which may be long, and their corrections.
    func transcript(_ id: EntryID, timed: Bool, of member: Member) async throws(DiaryError) -> StoredTranscript?
}
