import DiaryCore
import FoundationEssentials
import Synchronization
import TestSupport

/// A queue for the loop's timing logic alone: what is claimable, which lease is held, and what was written. It knows no SQL and no content.
final class ScriptedJobStore: JobQueue, TranscriptionStore, ExportBuildStore, MailQueueStore {
    enum Written: Equatable {
        case retried(JobID, ProcessingCode, Double)
        case postponed(JobID, ProcessingCode, Double)
        case discarded(JobID, ProcessingCode)
        case released(JobID)
        case enqueuedAgain(JobID, Double)
        case finished(JobID)
    }

    private struct State {
        var ready: [LeasedJob] = []
        var held: [JobID: Int] = [:]
        var written: [Written] = []
        var largestClaim = 0
        var claims: [JobClaim] = []
        var renewals: [JobID: Int] = [:]
        var progress: [JobID: Int] = [:]
        var isAway = false
        var refusals = 0
        var entries: [UUID: (recording: StoredRecording, run: EntryRun)] = [:]
        var segments: [UUID: SealedColumn] = [:]
        var corrections: [UUID: StoredCorrections] = [:]
        var laterCorrections: [UUID: StoredCorrections] = [:]
        var replaced: ReplacedTexts?
        var languages: [String] = []
        var locale: String?
        var vocabularySealed: [UInt8]?
        var machine: SealedResult?
        var waiting: ProcessingCode?
        var heard: (segments: SealedResult, language: String?, begun: String?)?
        var verified: (facts: MediaFacts, size: Int64, sha256: [UInt8], rendition: NewRendition)?
        var export: (Export, StoredProfile)?
        var pages: [[StoredExportEntry]] = []
        var checkpoint: ExportCheckpoint?
        var zips: [Int: UUID] = [:]
        var discardedObjects: [UUID] = []
        var snapshots = 0
        var isRevoked = false
        var notes: [ExportProgress] = []
        var finishedExport: (object: UUID?, size: Int64, count: Int, expiresAt: Date, mail: QueuedMail)?
        var keptZip: KeptZip?
        var mail: QueuedMail?
        var prepared = PreparedMail()
        var preparedFor: (hash: [UInt8], isAccountAddress: Bool, locales: [String])?
        var finishErrors: [WorkError] = []
        var parts: [String: [StoredSpeechPart]] = [:]
        var keepErrors: [WorkError] = []
    }

    private let state = Mutex(State())
    /// A retried job is ready again at once.
    private let retriesAtOnce: Bool

    init(_ ready: [LeasedJob] = [], retriesAtOnce: Bool = false) {
        self.retriesAtOnce = retriesAtOnce
        state.withLock { $0.ready = ready }
    }

    // For the tests.
    var written: [Written] { state.withLock { $0.written } }
    var refusals: Int { state.withLock { $0.refusals } }
    var largestClaim: Int { state.withLock { $0.largestClaim } }
    var claims: [JobClaim] { state.withLock { $0.claims } }
    func add(_ job: LeasedJob) { state.withLock { $0.ready.append(job) } }
    func progress(of job: LeasedJob) -> Int? { state.withLock { $0.progress[job.id] } }
    func renewals(of job: LeasedJob) -> Int { state.withLock { $0.renewals[job.id] ?? 0 } }
    func takeLease(of job: LeasedJob) { state.withLock { $0.held[job.id] = nil } }
    func setAway(_ isAway: Bool) { state.withLock { $0.isAway = isAway } }
    func put(_ entry: StoredEntry, copy: PlayableCopy? = nil, run: EntryRun = EntryRun()) {
        state.withLock { $0.entries[entry.facts.id.uuid] = (StoredRecording(entry: entry, copy: copy), run) }
    }
    func put(segments: SealedColumn, of entry: EntryID) { state.withLock { $0.segments[entry.uuid] = segments } }
    func put(_ export: Export, _ profile: StoredProfile, pages: [[StoredEntry]]) {
        put(export, profile, entries: pages.map { $0.map { StoredExportEntry(entry: $0) } })
    }
    func put(_ export: Export, _ profile: StoredProfile, entries pages: [[StoredExportEntry]]) {
        state.withLock {
            $0.export = (export, profile)
            $0.pages = pages
        }
    }
    func put(languages: [String], locale: String? = nil) {
        state.withLock {
            $0.languages = languages
            $0.locale = locale
        }
    }
    func put(vocabularySealed: [UInt8]?) { state.withLock { $0.vocabularySealed = vocabularySealed } }
    func put(_ mail: QueuedMail) { state.withLock { $0.mail = mail } }
    func put(_ prepared: PreparedMail) { state.withLock { $0.prepared = prepared } }
    var preparedFor: (hash: [UInt8], isAccountAddress: Bool, locales: [String])? { state.withLock { $0.preparedFor } }
    /// By entry, object and engine.
    var parts: [String: [StoredSpeechPart]] { state.withLock { $0.parts } }
    func put(parts: [StoredSpeechPart], at place: String) { state.withLock { $0.parts[place] = parts } }
    func failKeeping(_ errors: WorkError...) { state.withLock { $0.keepErrors = errors } }
    /// The next finishing calls fail like this, one after the other.
    func failFinishing(_ errors: WorkError...) { state.withLock { $0.finishErrors = errors } }
    func put(corrections: StoredCorrections, of entry: EntryID) { state.withLock { $0.corrections[entry.uuid] = corrections } }
    /// They replace the others as soon as these have been read.
    func put(laterCorrections: StoredCorrections, of entry: EntryID) {
        state.withLock { $0.laterCorrections[entry.uuid] = laterCorrections }
    }
    /// What the last result was written with.
    var replaced: ReplacedTexts? { state.withLock { $0.replaced } }
    var machine: SealedResult? { state.withLock { $0.machine } }
    var waiting: ProcessingCode? { state.withLock { $0.waiting } }
    var heard: (segments: SealedResult, language: String?, begun: String?)? { state.withLock { $0.heard } }
    var verified: (facts: MediaFacts, size: Int64, sha256: [UInt8], rendition: NewRendition)? { state.withLock { $0.verified } }
    var checkpoint: ExportCheckpoint? { state.withLock { $0.checkpoint } }
    /// Objects of checkpoints that were discarded.
    var discardedObjects: [UUID] { state.withLock { $0.discardedObjects } }
    /// How often entries were read.
    var snapshots: Int { state.withLock { $0.snapshots } }
    var notes: [ExportProgress] { state.withLock { $0.notes } }
    /// Of the finished export.
    var keptZip: KeptZip? { state.withLock { $0.keptZip } }
    func put(checkpoint: ExportCheckpoint) { state.withLock { $0.checkpoint = checkpoint } }
    func revoke() { state.withLock { $0.isRevoked = true } }
    /// With the object of the only part.
    var finishedExport: (object: UUID?, size: Int64, count: Int, expiresAt: Date, mail: QueuedMail)? {
        state.withLock { $0.finishedExport }
    }

    // The queue.
    func claim(_ claim: JobClaim) async throws(WorkError) -> [LeasedJob] {
        try check()
        return state.withLock { state in
            state.claims.append(claim)
            let taken = state.ready.filter { claim.kinds.contains($0.kind) && $0.isLong == claim.isLong }.prefix(claim.limit)
            state.ready.removeAll { job in taken.contains { $0.id == job.id } }
            state.largestClaim = max(state.largestClaim, taken.count)
            return taken.map { job in
                let leased = job.with(attempt: job.attempt + 1, errors: job.errors)
                state.held[job.id] = leased.attempt
                return leased
            }
        }
    }

    func renew(_ jobs: [LeasedJob], progress: [JobID: Int], leaseSeconds: Double) async throws(WorkError) -> Set<JobID> {
        try check()
        return state.withLock { state in
            let kept = jobs.filter { state.held[$0.id] == $0.attempt }
            state.progress.merge(progress) { $1 }
            for job in kept { state.renewals[job.id, default: 0] += 1 }
            return Set(kept.map(\.id))
        }
    }

    func release(_ job: LeasedJob, cost: Double) async throws(WorkError) { try end(job, .enqueuedAgain(job.id, cost)) }

    func release(_ jobs: [LeasedJob]) async throws(WorkError) {
        for job in jobs { try end(job, .released(job.id)) }
    }

    func retry(_ job: LeasedJob, code: ProcessingCode, afterSeconds: Double) async throws(WorkError) {
        try end(job, .retried(job.id, code, afterSeconds))
        if retriesAtOnce { state.withLock { $0.ready.append(job.with(attempt: job.attempt, errors: job.errors + 1)) } }
    }

    func postpone(_ job: LeasedJob, code: ProcessingCode, afterSeconds: Double) async throws(WorkError) {
        try end(job, .postponed(job.id, code, afterSeconds))
        if retriesAtOnce { state.withLock { $0.ready.append(job.with(attempt: job.attempt, errors: job.errors)) } }
    }

    func discard(_ job: LeasedJob, code: ProcessingCode) async throws(WorkError) { try end(job, .discarded(job.id, code)) }

    /// The entry is deleted before its job ends, and with `isErased` not into the trash.
    let isGone = Shared(false)
    let isErased = Shared(false)
    /// How often leases were looked for.
    let rescues = Shared(0)
    func rescue(limit: Int, maxCrashes: Int) async throws(WorkError) -> [JobKind] {
        rescues.change { $0 += 1 }
        return []
    }

    // The result stores.
    func beginEntry(_ job: LeasedJob) async throws(WorkError) -> HeardEntry {
        let begun: HeardEntry? = state.withLock { state in
            guard let (recording, run) = state.entries[job.subject] else { return nil }
            return HeardEntry(
                recording: recording, run: run, segments: state.segments[job.subject], corrections: state.corrections[job.subject])
        }
        guard let begun else { throw .ownerGone }
        return begun
    }

    func isThere(_ job: LeasedJob) async throws(WorkError) -> Bool { state.withLock { $0.entries[job.subject] != nil } }

    func expectedSpeech(of owner: Owner, in entry: EntryID) async throws(WorkError) -> ExpectedSpeech {
        state.withLock { ExpectedSpeech(languages: $0.languages, locale: $0.locale, vocabularySealed: $0.vocabularySealed) }
    }

    func finishVerify(
        _ job: LeasedJob, facts: MediaFacts, size: Int64, sha256: [UInt8], rendition: NewRendition
    ) async throws(WorkError) -> FinishedStage {
        let next = try finish(job) { $0.verified = (facts, size, sha256, rendition) }
        return FinishedStage(isWritten: next != nil, isGone: isErased.now, next: next)
    }

    func finishTranscribe(
        _ job: LeasedJob, machine: SealedResult, segments: SealedResult, language: String?, insteadOf begun: String?,
        replaced: ReplacedTexts
    ) async throws(WorkError) -> JobKind? {
        try expectCorrections(replaced, of: job)
        return try finish(job) {
            $0.machine = machine
            $0.replaced = replaced
            $0.heard = (segments, language, begun)
        }
    }

    private func expectCorrections(_ replaced: ReplacedTexts, of job: LeasedJob) throws(WorkError) {
        let stored = state.withLock { $0.corrections[job.subject]?.sealed.version }
        if let expected = replaced.corrections, expected != stored ?? 0 { throw .unavailable(.unavailable(cause: "corrected")) }
        let personal = state.withLock { $0.entries[job.subject]?.recording.entry.personal?.version }
        if replaced.corrections == nil, let expected = replaced.personal, expected != personal {
            throw .unavailable(.unavailable(cause: "changed"))
        }
    }

    func segments(_ entry: EntryID, of owner: Owner) async throws(WorkError) -> SealedColumn? { state.withLock { $0.segments[entry.uuid] } }

    func corrections(_ entry: EntryID, of owner: Owner) async throws(WorkError) -> StoredCorrections? {
        state.withLock { state in
            let read = state.corrections[entry.uuid]
            if let later = state.laterCorrections.removeValue(forKey: entry.uuid) { state.corrections[entry.uuid] = later }
            return read
        }
    }

    func finishMachine(
        _ job: LeasedJob, machine: SealedResult, replaced: ReplacedTexts, waiting code: ProcessingCode?
    ) async throws(WorkError) -> JobKind? {
        try expectCorrections(replaced, of: job)
        return try finish(job) {
            $0.machine = machine
            $0.waiting = code
            $0.replaced = replaced
        }
    }

    func parts(of entry: EntryID, object: UUID, engine: String, of owner: Owner) async throws(WorkError) -> [StoredSpeechPart] {
        state.withLock { $0.parts["\(entry) \(object) \(engine)"] ?? [] }
    }

    func keep(
        _ part: StoredSpeechPart, used: UsageAmount, keyID: UUID, object: UUID, engine: String, _ job: LeasedJob
    ) async throws(WorkError) {
        let error = state.withLock { $0.keepErrors.isEmpty ? nil : $0.keepErrors.removeFirst() }
        if let error { throw error }
        state.withLock { $0.parts["\(EntryID(job.subject)) \(object) \(engine)", default: []].append(part) }
    }

    func beginExport(_ job: LeasedJob) async throws(WorkError) -> (Export, StoredProfile) {
        guard let export = state.withLock({ $0.isRevoked ? nil : $0.export }) else { throw .ownerGone }
        return export
    }

    func coloredTags(of owner: Owner) async throws(WorkError) -> [StoredTag] { [] }

    func checkpoint(of export: ExportID, of owner: Owner) async throws(WorkError) -> ExportCheckpoint? { checkpoint }

    func saveCheckpoint(_ job: LeasedJob, object: UUID, keyID: UUID, entries: [Int]) async throws(WorkError) {
        state.withLock {
            $0.checkpoint = ExportCheckpoint(object: object, parts: entries.map { .init(entryCount: $0, object: nil, sizeBytes: nil) })
            $0.zips = [:]
        }
    }

    func discardCheckpoint(_ job: LeasedJob) async throws(WorkError) -> [UUID] {
        state.withLock { state in
            let unnamed = state.checkpoint.map { [$0.object] + $0.parts.compactMap(\.object) } ?? []
            (state.checkpoint, state.zips) = (nil, [:])
            state.discardedObjects += unnamed
            return unnamed
        }
    }

    func finishPart(_ job: LeasedJob, part: Int, entries: Int, object: UUID, keyID: UUID, size: Int64) async throws(WorkError) {
        let error = state.withLock { state -> WorkError? in
            if !state.finishErrors.isEmpty { return state.finishErrors.removeFirst() }
            guard !state.isRevoked, state.checkpoint?.parts.indices.contains(part - 1) ?? (part == 1) else { return .ownerGone }
            state.zips[part] = object
            state.checkpoint?.parts[part - 1].object = object
            state.checkpoint?.parts[part - 1].sizeBytes = size
            return nil
        }
        if let error { throw error }
    }

    func note(_ progress: ExportProgress, _ job: LeasedJob) async throws(WorkError) -> Bool {
        state.withLock { state in
            state.notes.append(progress)
            return !state.isRevoked
        }
    }

    func readExport(
        _ export: Export, of owner: Owner, began: @escaping @Sendable (ExportSnapshot) async throws -> Void,
        deleted: @escaping @Sendable ([DeletedEntry]) async throws -> Void,
        page: @escaping @Sendable ([StoredExportEntry]) async throws -> Void
    ) async throws {
        state.withLock { $0.snapshots += 1 }
        try await began(ExportSnapshot(changesUpto: 7, knowsDeletions: true))
        for entries in state.withLock({ $0.pages }) { try await page(entries) }
    }

    func finishExport(
        _ job: LeasedJob, keyID: UUID, size: Int64, entryCount: Int, changesUpto: Int64, expiresAt: Date, kept: KeptZip?, mail: QueuedMail
    ) async throws(WorkError) -> JobKind? {
        try finish(job) {
            $0.finishedExport = ($0.zips.count == 1 ? $0.zips[1] : nil, size, entryCount, expiresAt, mail)
            $0.keptZip = kept
        }
    }

    func beginMail(_ job: LeasedJob) async throws(WorkError) -> QueuedMail {
        guard let mail = state.withLock({ $0.mail }) else { throw .ownerGone }
        return mail
    }

    func prepareMail(
        _ job: LeasedJob, addressHash: [UInt8], isAccountAddress: Bool, locales: [String]
    ) async throws(WorkError) -> PreparedMail {
        state.withLock {
            $0.preparedFor = (addressHash, isAccountAddress, locales)
            return $0.prepared
        }
    }
    func finishMail(_ job: LeasedJob) async throws(WorkError) -> JobKind? { try finish(job) { _ in } }

    private func check() throws(WorkError) {
        let isAway = state.withLock { state in
            if state.isAway { state.refusals += 1 }
            return state.isAway
        }
        if isAway { throw .unavailable(.unavailable(cause: "away")) }
    }

    /// Fenced: only for the holder of the lease.
    private func end(_ job: LeasedJob, _ written: Written) throws(WorkError) {
        try check()
        let isHeld = state.withLock { state in
            guard state.held[job.id] == job.attempt else { return false }
            state.held[job.id] = nil
            state.written.append(written)
            return true
        }
        guard isHeld else { throw .leaseLost }
    }

    /// - Returns: the successor, as a store that inserts it does.
    private func finish(_ job: LeasedJob, _ change: (inout sending State) -> Void) throws(WorkError) -> JobKind? {
        let error = state.withLock { $0.finishErrors.isEmpty ? nil : $0.finishErrors.removeFirst() }
        if let error { throw error }
        if isGone.now { return nil }
        state.withLock { state in
            change(&state)
            state.written.append(.finished(job.id))
        }
        return JobCatalogue.diary.successor(of: job.kind)?.kind
    }
}

extension LeasedJob {
    static func make(
        _ kind: JobKind, owner: Owner = .someone, subject: UUID = UUID(), attempt: Int = 0, errors: Int = 0, cost: Double = JobCost.small
    ) -> LeasedJob {
        LeasedJob(id: JobID(UUID()), owner: owner, kind: kind, subject: subject, attempt: attempt, errors: errors, crashes: 0, cost: cost)
    }

    func with(attempt: Int, errors: Int) -> LeasedJob {
        LeasedJob(id: id, owner: owner, kind: kind, subject: subject, attempt: attempt, errors: errors, crashes: crashes, cost: cost)
    }
}

extension Owner {
    static var someone: Owner { Owner(tenant: TenantID(UUID()), user: UserID(UUID())) }
}
