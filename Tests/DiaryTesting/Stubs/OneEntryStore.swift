package import FoundationEssentials
import Synchronization

@testable package import DiaryCore

/// One stored entry whose personal part, with corrections and earlier edited texts, is written, and which a run begins on when it is finished.
/// Everything else is as in `StubStore`.
package final class OneEntryStore: Sendable {
    private struct State {
        var stored: StoredEntry
        var corrections: StoredCorrections?
        var revisions: [SealedRevision] = []
        var runs: [NewRun] = []
        var redescriptions: [Redescription] = []
    }

    private let state: Mutex<State>
    private let copy: PlayableCopy?
    private let segments: SealedColumn?
    private let locale: String?
    private let rest = StubStore()

    /// - Parameters:
    ///   - segments: of its transcript.
    ///   - locale: of its owner.
    package init(_ stored: StoredEntry, copy: PlayableCopy? = nil, segments: SealedColumn? = nil, locale: String? = nil) {
        state = Mutex(State(stored: stored))
        self.copy = copy
        self.segments = segments
        self.locale = locale
    }

    package var stored: StoredEntry { state.withLock { $0.stored } }
    package var revisions: [SealedRevision] { state.withLock { $0.revisions } }
    package var runs: [NewRun] { state.withLock { $0.runs } }
    package var redescriptions: [Redescription] { state.withLock { $0.redescriptions } }
}

extension OneEntryStore: EntryStore {
    package func entry(_ id: EntryID, of member: Member) async throws(DiaryError) -> StoredEntry? {
        stored.facts.id == id ? stored : nil
    }
    package func rewritePersonal(_ rewrite: PersonalRewrite, keyID: UUID, by member: Member) async throws(DiaryError) -> WriteOutcome {
        state.withLock { state in
            guard state.stored.facts.id == rewrite.id else { return .missing }
            guard state.stored.version == rewrite.expecting else { return .conflict(state.stored) }
            if let corrections = rewrite.corrections {
                guard corrections.segmentsVersion == segments?.version else { return .conflict(state.stored) }
                state.corrections = StoredCorrections(
                    sealed: SealedColumn(bytes: corrections.sealed, version: rewrite.sealed.version),
                    segmentsVersion: corrections.segmentsVersion)
            }
            state.stored.personal = rewrite.sealed
            if let redescription = rewrite.redescription {
                state.stored.machine = nil
                state.redescriptions.append(redescription)
            }
            if let replaced = rewrite.replaced { state.revisions.append(replaced) }
            return .written(state.stored)
        }
    }
    package func waveform(of id: EntryID, _ member: Member) async throws(DiaryError) -> (entry: StoredEntry, sealed: [UInt8]?)? {
        stored.facts.id == id ? (stored, nil) : nil
    }
    package func create(_ entry: NewEntry, by member: Member) async throws(DiaryError) -> CreateOutcome {
        try await rest.create(entry, by: member)
    }
    package func changes(from start: FeedStart, limit: Int, of member: Member) async throws(DiaryError) -> FeedOutcome {
        try await rest.changes(from: start, limit: limit, of: member)
    }
    package func days(from: CalendarDay, to: CalendarDay, of member: Member) async throws(DiaryError) -> [DayCount] {
        try await rest.days(from: from, to: to, of: member)
    }
    package func onThisDay(_ query: OnThisDayQuery, of member: Member) async throws(DiaryError) -> EntryPage {
        try await rest.onThisDay(query, of: member)
    }
    package func list(_ query: DateQuery, of member: Member) async throws(DiaryError) -> EntryPage {
        try await rest.list(query, of: member)
    }
    package func delete(
        _ id: EntryID, expecting version: Int64?, keyID: UUID, by member: Member
    ) async throws(DiaryError) -> RemovalOutcome {
        try await rest.delete(id, expecting: version, keyID: keyID, by: member)
    }
    package func recording(
        _ id: EntryID, of member: Member
    ) async throws(DiaryError) -> (recording: StoredRecording, linkGeneration: Int64)? {
        stored.facts.id == id ? (StoredRecording(entry: stored, copy: copy), 1) : nil
    }
    package func linkGeneration(of object: UUID, _ owner: Owner) async throws(DiaryError) -> Int64? {
        try await rest.linkGeneration(of: object, owner)
    }
    package func uploadState(_ object: UUID, of owner: Owner) async throws(DiaryError) -> UploadState {
        try await rest.uploadState(object, of: owner)
    }
    package func uploadArrived(_ object: UUID, of owner: Owner) async throws(DiaryError) -> Bool {
        try await rest.uploadArrived(object, of: owner)
    }
    package func completeUpload(
        _ id: EntryID, object: UUID, size: Int64, keyID: UUID, job: NewJob, by member: Member
    ) async throws(DiaryError) -> (outcome: CompleteOutcome, hasParts: Bool) {
        try await rest.completeUpload(id, object: object, size: size, keyID: keyID, job: job, by: member)
    }
    package func reopenUpload(_ id: EntryID, _ reopening: UploadReopening, by member: Member) async throws(DiaryError) -> StoredEntry? {
        try await rest.reopenUpload(id, reopening, by: member)
    }
    package func retry(
        _ id: EntryID, within limits: UsageLimits, keyID: UUID, job: JobID, claim: KeyClaim?, by member: Member
    ) async throws(DiaryError) -> CompleteOutcome {
        try await rest.retry(id, within: limits, keyID: keyID, job: job, claim: claim, by: member)
    }
    package func reprocess(
        _ id: EntryID, _ run: NewRun, within limits: UsageLimits, keyID: UUID, job: JobID, claim: KeyClaim?, by member: Member
    ) async throws(DiaryError) -> CompleteOutcome {
        state.withLock { state in
            guard state.stored.facts.id == id else { return .missing }
            guard state.stored.facts.kind == .voice, state.stored.facts.status == .transcribed else { return .already(state.stored) }
            state.runs.append(run)
            return .enqueued(state.stored)
        }
    }
    package func revisions(
        of id: EntryID, _ layer: TextLayer, before number: Int64?, limit: Int, of member: Member
    ) async throws(DiaryError) -> RevisionPage? {
        state.withLock { state in
            guard state.stored.facts.id == id else { return nil }
            let found = state.revisions.filter { $0.layer == layer && $0.number < number ?? .max }.sorted { $0.number > $1.number }
            return RevisionPage(
                found.prefix(limit).map {
                    StoredRevision(sealed: SealedColumn(bytes: $0.sealed, version: $0.number), createdAt: Stub.now)
                }, more: found.count > limit)
        }
    }
    package func transcript(_ id: EntryID, timed: Bool, of member: Member) async throws(DiaryError) -> StoredTranscript? {
        let corrections = state.withLock { $0.corrections }
        return try await entry(id, of: member).map {
            StoredTranscript(entry: $0, segments: timed ? segments : nil, corrections: timed ? corrections : nil, locale: locale)
        }
    }
}
