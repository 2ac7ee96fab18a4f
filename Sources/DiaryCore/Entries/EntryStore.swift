package import FoundationEssentials

/// An entry about to exist, its words already sealed.
package struct NewEntry: Sendable {
    package var id: EntryID
    package var kind: EntryKind
    package var recordedAt: Date
    /// nil: the member's own zone.
    package var timeZone: String?
    package var durationSeconds: Double?
    package var sizeBytes: Int64?
    package var contentType: String?
    package var sha256: [UInt8]?
    package var language: String?
    package var object: UUID?
    package var keyID: UUID
    /// Content version 1.
    package var personal: [UInt8]
    /// Keyed hash of the request; a retry has the same.
    package var requestHash: [UInt8]
    /// Keyed hash of the `Idempotency-Key`, when one was sent.
    package var idempotencyHash: [UInt8]?

    package init(
        id: EntryID, kind: EntryKind, recordedAt: Date, timeZone: String?, durationSeconds: Double?, sizeBytes: Int64?,
        contentType: String?,
        sha256: [UInt8]?, language: String?, object: UUID?, keyID: UUID, personal: [UInt8], requestHash: [UInt8], idempotencyHash: [UInt8]?
    ) {
        self.id = id
        self.kind = kind
        self.recordedAt = recordedAt
        self.timeZone = timeZone
        self.durationSeconds = durationSeconds
        self.sizeBytes = sizeBytes
        self.contentType = contentType
        self.sha256 = sha256
        self.language = language
        self.object = object
        self.keyID = keyID
        self.personal = personal
        self.requestHash = requestHash
        self.idempotencyHash = idempotencyHash
    }
}

package enum CreateOutcome: Sendable {
    case created(StoredEntry)
    /// The same request came before (same idempotency key or same client-made id): this is what it made.
    case replayed(StoredEntry)
    /// The idempotency key was used for a request with another hash.
    case keyReused
    /// The client-made id belongs to another entry of this member.
    case idTaken
}

/// A place in the feed.
package enum FeedStart: Sendable, Equatable {
    case beginning
    /// - Parameter purgedThrough: up to where tombstones were gone when this walk through the feed began.
    case after(changeNumber: Int64, purgedThrough: Int64 = 0)
    case changedSince(Date)
}

/// A page of at most `limit` entries and about 2 MiB of sealed words, whichever is less: a few long diaries must not fill the memory.
package struct EntryPage: Sendable, RandomAccessCollection {
    package var entries: [StoredEntry]
    /// There are more after these.
    package var more: Bool

    package init(_ entries: [StoredEntry], more: Bool) {
        self.entries = entries
        self.more = more
    }

    package var startIndex: Int { entries.startIndex }
    package var endIndex: Int { entries.endIndex }
    package subscript(position: Int) -> StoredEntry { entries[position] }
}

package enum FeedOutcome: Sendable {
    /// In order of change number; `latest` is where the member's counter stood when the page was read, `purgedThrough` up to where tombstones are gone.
    case page(EntryPage, latest: Int64, purgedThrough: Int64)
    /// The position is older than the oldest tombstone, or from a future that a restored database does not know (410).
    case expired
}

package enum DateOrder: String, Sendable { case newestFirst = "desc", oldestFirst = "asc" }

/// A position between two entries ordered by time and id.
package struct DatePosition: Sendable, Equatable {
    package var recordedAt: Date
    package var id: EntryID

    package init(recordedAt: Date, id: EntryID) {
        self.recordedAt = recordedAt
        self.id = id
    }
}

/// A listing by date: days of the recordings' own wall clocks, inclusive.
package struct DateQuery: Sendable {
    package var from: CalendarDay?
    package var to: CalendarDay?
    package var order: DateOrder
    package var after: DatePosition?
    package var limit: Int

    package init(from: CalendarDay?, to: CalendarDay?, order: DateOrder, after: DatePosition?, limit: Int) {
        self.from = from
        self.to = to
        self.order = order
        self.after = after
        self.limit = limit
    }
}

package enum WriteOutcome: Sendable {
    case written(StoredEntry)
    case missing
    /// Somebody changed the part since it was read.
    case conflict
}

package enum CompleteOutcome: Sendable {
    /// Uploaded now, with its verify job in the same transaction.
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
    func completeUpload(_ id: EntryID, size: Int64, keyID: UUID, job: JobID, by member: Member) async throws(DiaryError) -> CompleteOutcome
    /// A failed entry goes back to work: at `verify` when its recording was never verified, else at `transcribe`.
    func retry(_ id: EntryID, keyID: UUID, job: JobID, by member: Member) async throws(DiaryError) -> CompleteOutcome
    /// Sealed words with their times.
    func segments(_ id: EntryID, of member: Member) async throws(DiaryError) -> SealedColumn?
}
