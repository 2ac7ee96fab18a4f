import DiaryCore
import DiaryTesting
import Foundation
import Synchronization
import TestSupport

@testable import DiaryWorker

final class ScriptedSweepStore: SweepStore, PartSweepStore {
    let waiting = Shared<[AwaitingUpload]>([])
    let named = Shared<Set<UUID>>([])
    let goneOwners = Shared<Set<Owner>>([])
    let completed = Shared<[EntryID]>([])
    let abandoned = Shared<[EntryID]>([])
    let kept = Shared<[ClosedRange<Date>]>([])
    /// The database's number, and those beside the objects that it was asked with.
    let number = Shared<Int64>(0)
    let asked = Shared<[Int64]>([])

    func noteSweep(stored: Int64, isFirst: Bool, awaySeconds: Double) async throws(WorkError) -> NotedSweep {
        asked.change { $0.append(stored) }
        let isRestored = stored > number.now
        number.change { $0 = max($0, stored) + 1 }
        return NotedSweep(number: number.now, finding: isRestored ? .restored : nil)
    }
    func keptTimes() async throws(WorkError) -> [ClosedRange<Date>] { kept.now }

    /// Set: every page is this one.
    let stuck = Shared<[AwaitingUpload]>([])
    let pages = Shared(0)

    func awaitingUploads(
        olderThanSeconds: Double, after: (createdAt: Date, entry: EntryID)?, limit: Int
    ) async throws(WorkError) -> [AwaitingUpload] {
        pages.change { $0 += 1 }
        guard stuck.now.isEmpty else { return stuck.now }
        let waiting = waiting.now.sorted { $0.createdAt < $1.createdAt }
        let start =
            after.map { after in
                waiting.firstIndex { $0.entry == after.entry }.map { $0 + 1 } ?? waiting.firstIndex { $0.createdAt > after.createdAt }
                    ?? waiting.count
            } ?? 0
        return Array(waiting.dropFirst(start).prefix(limit))
    }
    /// They have expired.
    let late = Shared<[AwaitingUpload]>([])

    func lateUploads(after: (expiresAt: Date, entry: EntryID)?, limit: Int) async throws(WorkError) -> [AwaitingUpload] {
        let late = late.now
        let start = after.flatMap { after in late.firstIndex { $0.entry == after.entry }.map { $0 + 1 } } ?? 0
        return Array(late.dropFirst(start).prefix(limit))
    }
    func completeUpload(_ upload: AwaitingUpload, size: Int64, job: NewJob) async throws(WorkError) {
        if goneOwners.now.contains(upload.owner) { throw .ownerGone }
        completed.change { $0.append(upload.entry) }
    }
    let stranded = Shared<[StrandedEntry]>([])
    let mended = Shared<[EntryID]>([])

    func stranded(olderThanSeconds: Double, limit: Int) async throws(WorkError) -> [StrandedEntry] { stranded.now }
    func mend(_ entry: StrandedEntry, job: JobID) async throws(WorkError) -> Bool {
        if goneOwners.now.contains(entry.owner) { throw .ownerGone }
        mended.change { $0.append(entry.entry) }
        return true
    }
    /// They have arrived or their apps have completed them meanwhile.
    let taken = Shared<Set<EntryID>>([])
    let arrivedBefore = Shared<Date?>(nil)
    /// Entries that got another object.
    let replaced = Shared<[EntryID]>([])

    func abandonUpload(_ upload: AwaitingUpload, at now: Date, arrivedBefore: Date, object: UUID?) async throws(WorkError) -> Bool {
        self.arrivedBefore.set(arrivedBefore)
        if object != nil { replaced.change { $0.append(upload.entry) } }
        guard !taken.now.contains(upload.entry) else { return false }
        abandoned.change { $0.append(upload.entry) }
        return true
    }
    let endedParts = Shared<[(owner: Owner, export: ExportID, object: UUID)]>([])
    let forgottenParts = Shared<[UUID]>([])
    func endedExportParts(limit: Int) async throws(WorkError) -> [(owner: Owner, export: ExportID, object: UUID)] { endedParts.now }
    func forgetPart(_ object: UUID, of export: ExportID, _ owner: Owner) async throws(WorkError) {
        forgottenParts.change { $0.append(object) }
    }
    let endedImports = Shared<[(owner: Owner, import: ImportID, object: UUID)]>([])
    let forgottenImports = Shared<[ImportID]>([])
    func endedImports(limit: Int) async throws(WorkError) -> [(owner: Owner, import: ImportID, object: UUID)] { endedImports.now }
    func forgetZip(of import: ImportID, _ owner: Owner) async throws(WorkError) { forgottenImports.change { $0.append(`import`) } }
    func awaitingParts(after: EntryID?, limit: Int) async throws(WorkError) -> [AwaitingParts] { [] }
    func orphans(among uploads: [StoredPartUpload]) async throws(WorkError) -> [StoredPartUpload] { [] }
    let isOrphanQueryAway = Shared(false)
    func orphans(among keys: [ObjectKey]) async throws(WorkError) -> [ObjectKey] {
        if isOrphanQueryAway.now { throw .unavailable(.unavailable(cause: "test")) }
        return keys.filter { !named.now.contains($0.object) }
    }
    /// Rows of one kind.
    let old = Shared(0)
    let tombstones = Shared(0)
    let grants = Shared(0)
    let isAway = Shared(false)

    func sweepBookkeeping(most: Int) async throws(WorkError) -> Bool {
        if isAway.now { throw .unavailable(.unavailable(cause: "test")) }
        return Self.take(most, old)
    }
    func sweepTombstones(most: Int) async throws(WorkError) -> Bool { Self.take(most, tombstones) }
    func sweepAppleGrants() async throws(WorkError) { grants.change { $0 += 1 } }

    private static func take(_ most: Int, _ rows: Shared<Int>) -> Bool {
        rows.change { left in
            let gone = min(left, most)
            left -= gone
            return gone == most
        }
    }
}
