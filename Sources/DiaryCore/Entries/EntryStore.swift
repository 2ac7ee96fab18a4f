package import FoundationEssentials

package enum CreateOutcome: Sendable {
    case created(StoredEntry)
    /// The same request came before (same idempotency key or same client-made id): this is what it made.
    case replayed(StoredEntry)
    /// The idempotency key was used for a request with another hash.
    case keyReused
    /// The client-made id belongs to another entry of this member.
    case idTaken
}

package enum WriteOutcome: Sendable {
    case written(StoredEntry)
    case missing
    /// Somebody changed the part since it was read.
    case conflict
}

package enum CompleteOutcome: Sendable {
    /// At work again, with a job of its stage (`processing.stage`) in the same transaction.
    case enqueued(StoredEntry)
    /// Already complete: nothing was done.
    case already(StoredEntry)
    case missing
}

/// Where an upload stands, for whoever holds its URL.
package enum UploadState: Sendable, Equatable {
    /// A live entry waits for the object.
    case awaiting
    /// Its entry waits no longer: uploaded, at work, done or failed.
    case finished
    /// No live entry of an open account names it, or its entry was given up because nothing came.
    case gone
}

/// Entries as `diary_api`: every call is one round trip, opens with the session check (`uploadState` and `uploadArrived` do not), and
/// names tenant and user in each statement.
package protocol EntryStore: Sendable {
    func create(_ entry: NewEntry, by member: Member) async throws(DiaryError) -> CreateOutcome
    /// Tombstones are missing.
    func entry(_ id: EntryID, of member: Member) async throws(DiaryError) -> StoredEntry?
    func changes(from start: FeedStart, limit: Int, of member: Member) async throws(DiaryError) -> FeedOutcome
    func list(_ query: DateQuery, of member: Member) async throws(DiaryError) -> EntryPage
    /// Compare-and-set on the personal part's version.
    func rewritePersonal(
        _ id: EntryID, sealed: SealedColumn, expecting version: Int64, keyID: UUID, by member: Member
    ) async throws(DiaryError) -> WriteOutcome
    /// Words, segments and waiting jobs go; the tombstone stays for the feed.
    /// - Parameter version: what If-Match named; nil deletes whatever is there.
    func delete(_ id: EntryID, expecting version: Int64?, keyID: UUID, by member: Member) async throws(DiaryError) -> WriteOutcome
    /// Without a session: the upload URL's signature has said who asks.
    func uploadState(_ object: UUID, of owner: Owner) async throws(DiaryError) -> UploadState
    /// The object lies whole in the store: from here on no sweeper gives it up as one that never came.
    /// - Returns: false when nobody will ever want it: its entry was deleted or given up, or its account is being erased. An account or app that is
    ///   only closed for now keeps what it has.
    func uploadArrived(_ object: UUID, of owner: Owner) async throws(DiaryError) -> Bool
    func completeUpload(_ id: EntryID, size: Int64, keyID: UUID, job: NewJob, by member: Member) async throws(DiaryError) -> CompleteOutcome
    /// A failed entry goes back to work, at the stage that the catalogue names for the one it failed in.
    func retry(_ id: EntryID, keyID: UUID, job: JobID, by member: Member) async throws(DiaryError) -> CompleteOutcome
    /// Sealed words with their times.
    func segments(_ id: EntryID, of member: Member) async throws(DiaryError) -> SealedColumn?
}
