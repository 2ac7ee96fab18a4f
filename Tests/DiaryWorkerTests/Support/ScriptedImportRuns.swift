import DiaryCore
import Foundation
import Synchronization

/// An account for `ImportRun` alone: what it has, what it stores, and what an import wrote. It knows no SQL.
final class ScriptedImportRuns: ImportRunStore {
    private struct State {
        var known = KnownEntries()
        var asked = 0
        var compared: [EntryID: ComparedEntry] = [:]
        var steps: [ImportStep] = []
        var speakers: [(id: SpeakerID, sealed: [UInt8])] = []
    }

    private let state: Mutex<State>

    init(_ known: KnownEntries = KnownEntries()) { state = Mutex(State(known: known)) }

    /// What the account has of an entry.
    func put(_ compared: ComparedEntry, of id: EntryID) {
        state.withLock {
            $0.known.ids[id] = .there
            $0.compared[id] = compared
        }
    }

    /// How often it was asked what the account has.
    var asked: Int { state.withLock { $0.asked } }
    var steps: [ImportStep] { state.withLock { $0.steps } }
    var speakers: [(id: SpeakerID, sealed: [UInt8])] { state.withLock { $0.speakers } }
    var entries: [ImportedEntry] { steps.flatMap(\.entries) }
    var items: [ImportItem] { steps.flatMap { $0.items.map(\.item) } }
    var counts: ImportCounts {
        steps.reduce(into: ImportCounts()) { sum, step in
            sum.created += Int64(step.entries.count)
            sum.unchanged += step.counts.unchanged
            sum.skipped += step.counts.skipped
            sum.failed += step.counts.failed
        }
    }

    func beginImport(_ job: LeasedJob) async throws(WorkError) -> (import: Import, reported: Int) { throw .ownerGone }
    func noteContents(_ job: LeasedJob, source: ImportSource, total: Int64) async throws(WorkError) {}
    func finishImport(_ job: LeasedJob) async throws(WorkError) -> JobKind? { nil }

    func known(_ ids: [EntryID], recordings: [[UInt8]], before: Date, of owner: Owner) async throws(WorkError) -> KnownEntries {
        state.withLock { state in
            state.asked += 1
            return KnownEntries(
                ids: state.known.ids.filter { ids.contains($0.key) },
                recordings: state.known.recordings.filter { recordings.contains($0.key) }, storedBytes: state.known.storedBytes)
        }
    }

    func compared(_ id: EntryID, of owner: Owner) async throws(WorkError) -> ComparedEntry? { state.withLock { $0.compared[id] } }

    func addSpeakers(_ speakers: [(id: SpeakerID, sealed: [UInt8])], keyID: UUID, _ job: LeasedJob) async throws(WorkError) {
        state.withLock { $0.speakers += speakers }
    }

    func addTags(_ tags: [StoredTag], most: Int, keyID: UUID, _ job: LeasedJob) async throws(WorkError) {}

    func write(_ step: ImportStep, _ job: LeasedJob) async throws(WorkError) {
        let fits = state.withLock { state in
            let stored = step.entries.filter { $0.object != nil }.reduce(state.known.storedBytes) { $0 + ($1.facts.sizeBytes ?? 0) }
            guard stored <= step.storageLimit ?? .max else { return false }
            state.known.storedBytes = stored
            for entry in step.entries { state.known.ids[entry.id] = .there }
            state.steps.append(step)
            return true
        }
        guard fits else { throw .unavailable(DiaryError(.storageExceeded)) }
    }
}
