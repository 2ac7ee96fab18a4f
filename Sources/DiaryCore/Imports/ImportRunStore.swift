package import FoundationEssentials

/// An entry of a zip as it is to be inserted, its texts sealed.
package struct ImportedEntry: Sendable {
    package var id: EntryID
    package var recordedAt: Date
    /// nil: now.
    package var createdAt: Date? = nil
    package var facts: GivenFacts
    /// A recording's, stored at its final key and not verified yet; nil for a text and for a recording that is gone.
    package var object: UUID? = nil
    /// When a recording that is gone was removed.
    package var audioRemovedAt: Date? = nil
    package var personal: SealedColumn
    /// With its texts a recording is finished after its check.
    package var machine: SealedColumn? = nil
    package var segments: SealedColumn? = nil
    package var corrections: StoredCorrections? = nil
    /// Speaker profiles that the corrections point to, their names sealed as version 1. One that is there stays as it is.
    package var profiles: [(id: SpeakerID, sealed: [UInt8])] = []
    package var revisions: [(revision: SealedRevision, replacedAt: Date)] = []
    package var labelHashes: [Int64] = []
    /// The check of the recording.
    package var job: NewJob? = nil

    package init(
        id: EntryID, recordedAt: Date, createdAt: Date? = nil, facts: GivenFacts, object: UUID? = nil, audioRemovedAt: Date? = nil,
        personal: SealedColumn, machine: SealedColumn? = nil, segments: SealedColumn? = nil, corrections: StoredCorrections? = nil,
        profiles: [(id: SpeakerID, sealed: [UInt8])] = [], revisions: [(revision: SealedRevision, replacedAt: Date)] = [],
        labelHashes: [Int64] = [], job: NewJob? = nil
    ) {
        self.id = id
        self.recordedAt = recordedAt
        self.createdAt = createdAt
        self.facts = facts
        self.object = object
        self.audioRemovedAt = audioRemovedAt
        self.personal = personal
        self.machine = machine
        self.segments = segments
        self.corrections = corrections
        self.profiles = profiles
        self.revisions = revisions
        self.labelHashes = labelHashes
        self.job = job
    }
}

/// The writes for one element of a zip's list, made in one transaction.
package struct ImportStep: Sendable {
    /// The number of elements processed before this one. When the stored number differs, the step was written already and is skipped.
    package var from: Int64
    /// The number of elements processed after this one.
    package var done: Int64
    package var entries: [ImportedEntry] = []
    /// Besides the entries, which count themselves.
    package var counts = ImportCounts()
    package var items: [StoredImportItem] = []
    package var keyID: UUID
    /// What the account may store; nil without a limit.
    package var storageLimit: Int64?

    package init(
        from: Int64, done: Int64, entries: [ImportedEntry] = [], counts: ImportCounts = ImportCounts(), items: [StoredImportItem] = [],
        keyID: UUID, storageLimit: Int64?
    ) {
        self.from = from
        self.done = done
        self.entries = entries
        self.counts = counts
        self.items = items
        self.keyID = keyID
        self.storageLimit = storageLimit
    }
}

/// Which ids and recordings an account has, and how much it stores.
package struct KnownEntries: Sendable, Equatable {
    package enum State: Sendable { case there, inTrash, deleted }

    package var ids: [EntryID: State] = [:]
    /// Entries with recordings that were there before the import, by SHA-256.
    package var recordings: [[UInt8]: EntryID] = [:]
    /// Bytes of all recordings of the account.
    package var storedBytes: Int64 = 0
    /// The account was disabled.
    package var isDisabled: Bool = false

    package init(ids: [EntryID: State] = [:], recordings: [[UInt8]: EntryID] = [:], storedBytes: Int64 = 0, isDisabled: Bool = false) {
        self.ids = ids
        self.recordings = recordings
        self.storedBytes = storedBytes
        self.isDisabled = isDisabled
    }
}

/// Imports under their jobs, by the database role `diary_worker`. Every write is fenced by the lease.
package protocol ImportRunStore: Sendable {
    /// `ownerGone` when it was deleted or has ended; the job is then finished.
    /// - Returns: `reported` lines are in its report.
    func beginImport(_ job: LeasedJob) async throws(WorkError) -> (import: Import, reported: Int)
    /// The zip has been opened.
    func noteContents(_ job: LeasedJob, source: ImportSource, total: Int64) async throws(WorkError)
    func known(_ ids: [EntryID], recordings: [[UInt8]], before: Date, of owner: Owner) async throws(WorkError) -> KnownEntries
    /// nil when it is not there, or in the trash.
    func compared(_ id: EntryID, of owner: Owner) async throws(WorkError) -> ComparedEntry?
    /// Of tags that have no colour here, while the account has fewer than `most`.
    func addTags(_ tags: [StoredTag], most: Int, keyID: UUID, _ job: LeasedJob) async throws(WorkError)
    /// Those that the account has not, their names sealed as version 1, as many as it may have.
    func addSpeakers(_ speakers: [(id: SpeakerID, sealed: [UInt8])], keyID: UUID, _ job: LeasedJob) async throws(WorkError)
    /// Once, also when it is called again after a lost reply. A report has no more than `ImportItem.most` lines.
    /// - Throws: `unavailable` with `storage_exceeded`, and nothing is written; `ownerGone` when the import was deleted.
    func write(_ step: ImportStep, _ job: LeasedJob) async throws(WorkError)
    /// The sweeper deletes the zip.
    func finishImport(_ job: LeasedJob) async throws(WorkError) -> JobKind?
}

/// The account's version of an entry that is also in the zip, for comparison.
package struct ComparedEntry: Sendable, Equatable {
    package var recordedAt: Date
    package var favorite: Bool
    /// It was imported without the recording that its zip named. One that was removed here has its digest.
    package var lacksRecording: Bool
    package var personal: SealedColumn?
    package var machine: SealedColumn?

    package init(recordedAt: Date, favorite: Bool, lacksRecording: Bool, personal: SealedColumn?, machine: SealedColumn?) {
        self.recordedAt = recordedAt
        self.favorite = favorite
        self.lacksRecording = lacksRecording
        self.personal = personal
        self.machine = machine
    }
}
