package import FoundationEssentials

@testable package import DiaryCore

extension StubStore: EntryStore {
    package func create(_ entry: NewEntry, by member: Member) async throws(DiaryError) -> CreateOutcome {
        let facts = EntryFacts(
            id: entry.id, kind: entry.facts.kind, status: entry.facts.kind == .voice ? .awaitingUpload : .transcribed, processing: nil,
            recordedAt: entry.recordedAt,
            timeZone: entry.facts.timeZone ?? "UTC", localTime: Stub.localTime, day: CalendarDay(Stub.localTime),
            createdAt: Stub.now,
            updatedAt: Stub.now, deletedAt: nil, durationSeconds: entry.facts.durationSeconds, sizeBytes: entry.facts.sizeBytes,
            contentType: entry.facts.contentType,
            sha256: entry.facts.sha256, language: entry.facts.language, object: entry.object, changeNumber: 1,
            uploadExpiresAt: entry.facts.kind == .voice ? Stub.now + Double(entry.uploadWindowSeconds) : nil)
        let stored = StoredEntry(facts: facts, personal: SealedColumn(bytes: entry.personal, version: 1), machine: nil)
        return entry.idempotencyHash == nil ? .created(stored) : .replayed(stored)
    }
    package func entry(_ id: EntryID, of member: Member) async throws(DiaryError) -> StoredEntry? {
        id == Stub.recording.facts.id ? Stub.recording : nil
    }
    package func changes(from start: FeedStart, limit: Int, of member: Member) async throws(DiaryError) -> FeedOutcome {
        .page(EntryPage([], more: false), latest: 7, purgedThrough: 0)
    }
    package func list(_ query: DateQuery, of member: Member) async throws(DiaryError) -> EntryPage { EntryPage([], more: false) }
    package func onThisDay(_ query: OnThisDayQuery, of member: Member) async throws(DiaryError) -> EntryPage { EntryPage([], more: false) }
    package func days(from: CalendarDay, to: CalendarDay, of member: Member) async throws(DiaryError) -> [DayCount] { [] }
    package func rewritePersonal(_ rewrite: PersonalRewrite, keyID: UUID, by member: Member) async throws(DiaryError) -> WriteOutcome {
        .missing
    }
    package func delete(
        _ id: EntryID, expecting version: Int64?, keyID: UUID, by member: Member
    ) async throws(DiaryError) -> RemovalOutcome {
        version == nil ? .missing : .conflict(Stub.recording)
    }
    package func recording(
        _ id: EntryID, of member: Member
    ) async throws(DiaryError) -> (recording: StoredRecording, linkGeneration: Int64)? {
        id == Stub.recording.facts.id ? (Stub.played, 3) : nil
    }
    package func waveform(of id: EntryID, _ member: Member) async throws(DiaryError) -> (entry: StoredEntry, sealed: [UInt8]?)? {
        id == Stub.recording.facts.id ? (Stub.recording, nil) : nil
    }
    package func linkGeneration(of object: UUID, _ owner: Owner) async throws(DiaryError) -> Int64? {
        object == Stub.recording.facts.object ? 3 : nil
    }
    package func uploadState(_ object: UUID, of owner: Owner) async throws(DiaryError) -> UploadState { .awaiting }
    package func uploadArrived(_ object: UUID, of owner: Owner) async throws(DiaryError) -> Bool { true }
    package func completeUpload(
        _ id: EntryID, object: UUID, size: Int64, keyID: UUID, job: NewJob, by member: Member
    ) async throws(DiaryError) -> (outcome: CompleteOutcome, hasParts: Bool) { (.missing, false) }
    package func reopenUpload(_ id: EntryID, _ reopening: UploadReopening, by member: Member) async throws(DiaryError) -> StoredEntry? {
        nil
    }
    package func retry(
        _ id: EntryID, within limits: UsageLimits, keyID: UUID, job: JobID, claim: KeyClaim?, by member: Member
    ) async throws(DiaryError) -> CompleteOutcome { .missing }
    package func reprocess(
        _ id: EntryID, _ run: NewRun, within limits: UsageLimits, keyID: UUID, job: JobID, claim: KeyClaim?, by member: Member
    ) async throws(DiaryError) -> CompleteOutcome { .missing }
    package func revisions(
        of id: EntryID, _ layer: TextLayer, before number: Int64?, limit: Int, of member: Member
    ) async throws(DiaryError) -> RevisionPage? {
        try await entry(id, of: member).map { _ in RevisionPage([], more: false) }
    }
    package func transcript(_ id: EntryID, timed: Bool, of member: Member) async throws(DiaryError) -> StoredTranscript? {
        try await entry(id, of: member).map { StoredTranscript(entry: $0, segments: nil, locale: nil) }
    }
}
