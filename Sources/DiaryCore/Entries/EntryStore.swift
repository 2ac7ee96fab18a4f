package import FoundationEssentials

package enum CreateOutcome: Sendable {
    case created(StoredEntry)
    /// The request is a repetition (same idempotency key or same client-made id): the entry that the first one made.
    case replayed(StoredEntry)
    /// The idempotency key was used for a request with another hash.
    case keyReused
    /// The client-made id belongs to another entry of this member.
    case idTaken
}

package enum WriteOutcome: Sendable {
    case written(StoredEntry)
    case missing
    /// The part has changed since it was read.
    case conflict
}

package enum CompleteOutcome: Sendable {
    /// In processing again; a job of its stage (`processing.stage`) was inserted in the same transaction.
    case enqueued(StoredEntry)
    /// Already complete: nothing was done.
    case already(StoredEntry)
    case missing
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

/// Entries as `diary_api`: every call is one round trip, begins with the session check (`uploadState`, `uploadArrived` and `linkGeneration`
/// do not), and names tenant and user in each statement.
package protocol EntryStore: Sendable {
    func create(_ entry: NewEntry, by member: Member) async throws(DiaryError) -> CreateOutcome
    /// A tombstone counts as missing.
    func entry(_ id: EntryID, of member: Member) async throws(DiaryError) -> StoredEntry?
    func changes(from start: FeedStart, limit: Int, of member: Member) async throws(DiaryError) -> FeedOutcome
    func list(_ query: DateQuery, of member: Member) async throws(DiaryError) -> EntryPage
    /// Compare-and-set on the personal part's version.
    /// - Parameter language: another one takes `language_unsupported` away, so that a retry is possible.
    func rewritePersonal(
        _ id: EntryID, sealed: SealedColumn, expecting version: Int64, language: Patch<String>, keyID: UUID, by member: Member
    ) async throws(DiaryError) -> WriteOutcome
    /// Deletes text, segments and waiting jobs; the tombstone stays for the feed.
    /// - Parameter version: what If-Match named; nil deletes any version.
    func delete(_ id: EntryID, expecting version: Int64?, keyID: UUID, by member: Member) async throws(DiaryError) -> WriteOutcome
    /// Without a session: the upload URL's signature has authenticated the caller.
    func uploadState(_ object: UUID, of owner: Owner) async throws(DiaryError) -> UploadState
    /// The whole object is in the store: from here on no sweeper fails its entry as expired.
    /// - Returns: false when it will never be used: its entry was deleted or has expired, or its account is being erased. A disabled
    ///   account or a suspended app keeps what it has.
    func uploadArrived(_ object: UUID, of owner: Owner) async throws(DiaryError) -> Bool
    func completeUpload(_ id: EntryID, size: Int64, keyID: UUID, job: NewJob, by member: Member) async throws(DiaryError) -> CompleteOutcome
    /// Restarts the processing of a failed entry, at the stage that the catalogue names for the one it failed in.
    func retry(_ id: EntryID, keyID: UUID, job: JobID, by member: Member) async throws(DiaryError) -> CompleteOutcome
    /// With the account's link generation, which its playback links are signed with.
    func recording(_ id: EntryID, of member: Member) async throws(DiaryError) -> (entry: StoredEntry, linkGeneration: Int64)?
    /// Without a session: the link's signature has authenticated the caller. The generation of links that open the object; nil when no live
    /// entry of an open account names it.
    func linkGeneration(of object: UUID, _ owner: Owner) async throws(DiaryError) -> Int64?
    /// Sealed segments with their times.
    func segments(_ id: EntryID, of member: Member) async throws(DiaryError) -> SealedColumn?
}
