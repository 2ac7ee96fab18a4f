import DiaryCrypto
import DiaryTesting
import FoundationEssentials
import Synchronization

@testable import DiaryCore

/// One entry: another state on each read; the last one stays.
final class ChangingStore: EntryStore {
    struct State: Sendable {
        var status: EntryStatus
        /// Of a failed check.
        var code: ProcessingCode?
        var sha256: [UInt8]?
        var expiresAt: Date?
        /// It was opened again for another recording.
        var isReopened = false
    }

    let id: EntryID
    let object = UUID()
    private let states: Mutex<[State?]>
    private let personal: [UInt8]
    private let hasParts: Bool
    /// Which has the digest of every recording that is compared.
    private let duplicate: EntryID?
    let reopenings = Mutex<[UploadReopening]>([])
    /// Also those that were refused.
    let created = Mutex<[NewEntry]>([])

    init(_ states: [State?], id: EntryID, key: DataKey, hasParts: Bool = false, duplicate: EntryID? = nil) throws {
        self.duplicate = duplicate
        self.id = id
        self.hasParts = hasParts
        self.states = Mutex(states)
        personal = try Vault(key: key, owner: Stub.owner).seal(PersonalPart(title: "Walk"), as: .personal, row: id.uuid)
    }

    private func stored(_ state: State) -> StoredEntry {
        let processing = state.code.map { Processing(stage: .verify, attempt: 1, nextAttemptAt: nil, code: $0) }
        let facts = EntryFacts(
            id: id, kind: .voice, status: state.status, processing: processing, recordedAt: Stub.now, timeZone: "UTC",
            localTime: Stub.localTime, day: CalendarDay(Stub.localTime), createdAt: Stub.now,
            updatedAt: Stub.now, deletedAt: nil, durationSeconds: nil, sizeBytes: 10, contentType: "audio/mp4", sha256: state.sha256,
            language: nil, object: state.isReopened ? UUID() : object, changeNumber: 1, uploadExpiresAt: state.expiresAt)
        return StoredEntry(facts: facts, personal: SealedColumn(bytes: personal, version: 1), machine: nil)
    }

    func entry(_ id: EntryID, of member: Member) async throws(DiaryError) -> StoredEntry? {
        let state = states.withLock { states in states.count > 1 ? states.removeFirst() : states.first ?? nil }
        return state.map(stored)
    }
    func completeUpload(
        _ id: EntryID, object: UUID, size: Int64, keyID: UUID, job: NewJob, by member: Member
    ) async throws(DiaryError) -> (outcome: CompleteOutcome, hasParts: Bool) {
        let last = states.withLock { $0.last ?? nil }
        if let last, last.isReopened { return (.already(stored(last)), false) }
        return (.enqueued(stored(State(status: .uploaded))), hasParts)
    }
    func reopenUpload(_ id: EntryID, _ reopening: UploadReopening, by member: Member) async throws(DiaryError) -> StoredEntry? {
        reopenings.withLock { $0.append(reopening) }
        return stored(State(status: .awaitingUpload, expiresAt: Stub.now + Double(reopening.windowSeconds)))
    }
    func create(_ entry: NewEntry, by member: Member) async throws(DiaryError) -> CreateOutcome {
        created.withLock { $0.append(entry) }
        if entry.uniqueDigest != nil, let duplicate { throw DiaryError(.duplicateRecording, entry: duplicate) }
        return .keyReused
    }
    func changes(from start: FeedStart, limit: Int, of member: Member) async throws(DiaryError) -> FeedOutcome {
        .page(EntryPage([], more: false), latest: 1, purgedThrough: 0)
    }
    func onThisDay(_ query: OnThisDayQuery, of member: Member) async throws(DiaryError) -> EntryPage { EntryPage([], more: false) }
    func days(from: CalendarDay, to: CalendarDay, of member: Member) async throws(DiaryError) -> [DayCount] { [] }
    func list(_ query: DateQuery, of member: Member) async throws(DiaryError) -> EntryPage { EntryPage([], more: false) }
    func reprocess(
        _ id: EntryID, _ run: NewRun, within limits: UsageLimits, keyID: UUID, job: JobID, claim: KeyClaim?, by member: Member
    ) async throws(DiaryError) -> CompleteOutcome { .missing }
    func revisions(
        of id: EntryID, _ layer: TextLayer, before number: Int64?, limit: Int, of member: Member
    ) async throws(DiaryError) -> RevisionPage? { nil }
    func rewritePersonal(_ rewrite: PersonalRewrite, keyID: UUID, by member: Member) async throws(DiaryError) -> WriteOutcome { .missing }
    func delete(_ id: EntryID, expecting version: Int64?, keyID: UUID, by member: Member) async throws(DiaryError) -> RemovalOutcome {
        .missing
    }
    func recording(_ id: EntryID, of member: Member) async throws(DiaryError) -> (recording: StoredRecording, linkGeneration: Int64)? {
        nil
    }
    func waveform(of id: EntryID, _ member: Member) async throws(DiaryError) -> (entry: StoredEntry, sealed: [UInt8]?)? { nil }
    func linkGeneration(of object: UUID, _ owner: Owner) async throws(DiaryError) -> Int64? { nil }
    func uploadState(_ object: UUID, of owner: Owner) async throws(DiaryError) -> UploadState { .awaiting }
    func uploadArrived(_ object: UUID, of owner: Owner) async throws(DiaryError) -> Bool { true }
    func retry(
        _ id: EntryID, within limits: UsageLimits, keyID: UUID, job: JobID, claim: KeyClaim?, by member: Member
    ) async throws(DiaryError) -> CompleteOutcome { .missing }
    func transcript(_ id: EntryID, timed: Bool, of member: Member) async throws(DiaryError) -> StoredTranscript? { nil }
}
