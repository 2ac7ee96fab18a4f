import DiaryCore
import DiaryTesting
import Foundation
import Synchronization
import TestSupport

@testable import DiaryWorker

final class ScriptedSweepStore: SweepStore {
    let waiting = Shared<[AwaitingUpload]>([])
    let named = Shared<Set<UUID>>([])
    let goneOwners = Shared<Set<Owner>>([])
    let completed = Shared<[EntryID]>([])
    let abandoned = Shared<[EntryID]>([])
    let kept = Shared<[ClosedRange<Date>]>([])
    /// The database's number, and those beside the objects that it was asked with.
    let number = Shared<Int64>(0)
    let noted = Shared<[Int64]>([])

    func noteSweep(stored: Int64, isFirst: Bool, awaySeconds: Double) async throws(WorkError) -> NotedSweep {
        noted.change { $0.append(stored) }
        let isRestored = stored > number.now
        number.change { $0 = max($0, stored) + 1 }
        return NotedSweep(number: number.now, finding: isRestored ? .restored : nil)
    }
    func keptTimes() async throws(WorkError) -> [ClosedRange<Date>] { kept.now }

    /// Set: every page is this one.
    let stuck = Shared<[AwaitingUpload]>([])
    let pages = Shared(0)

    func awaitingUploads(
        olderThanSeconds: Double, after: UploadPlace?, limit: Int
    ) async throws(WorkError) -> [AwaitingUpload] {
        pages.change { $0 += 1 }
        guard stuck.now.isEmpty else { return stuck.now }
        let waiting = waiting.now.sorted { $0.createdAt < $1.createdAt }
        let start =
            after.map { after in
                waiting.firstIndex { $0.entry == after.entry }.map { $0 + 1 } ?? waiting.firstIndex { $0.createdAt > after.at }
                    ?? waiting.count
            } ?? 0
        return Array(waiting.dropFirst(start).prefix(limit))
    }
    /// They have expired.
    let late = Shared<[AwaitingUpload]>([])

    func lateUploads(after: UploadPlace?, limit: Int) async throws(WorkError) -> [AwaitingUpload] {
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
    let ended = Shared<[EndedObjects: [EndedObject]]>([:])
    let forgotten = Shared<[EndedObject]>([])

    func ended(_ kind: EndedObjects, limit: Int) async throws(WorkError) -> [EndedObject] {
        Array(ended.now[kind, default: []].prefix(limit))
    }
    func forget(_ row: EndedObject, of kind: EndedObjects) async throws(WorkError) {
        ended.change { $0[kind, default: []].removeAll { $0 == row } }
        forgotten.change { $0.append(row) }
    }

    /// The orphans of this kind cannot be asked for.
    let awayKind = Shared<ObjectKey.Kind?>(nil)
    func orphans(among keys: [ObjectKey]) async throws(WorkError) -> [ObjectKey] {
        if let kind = awayKind.now, keys.contains(where: { $0.kind == kind }) { throw .unavailable(.unavailable(cause: "test")) }
        return keys.filter { !named.now.contains($0.object) }
    }

    let awaitingParts = Shared<[AwaitingParts]>([])
    let wantedParts = Shared<Set<String>>([])

    func awaitingParts(after: EntryID?, limit: Int) async throws(WorkError) -> [AwaitingParts] {
        let awaiting = awaitingParts.now
        let start = after.flatMap { after in awaiting.firstIndex { $0.upload.entry == after }.map { $0 + 1 } } ?? 0
        return Array(awaiting.dropFirst(start).prefix(limit))
    }
    func orphans(among uploads: [StoredPartUpload]) async throws(WorkError) -> [StoredPartUpload] {
        uploads.filter { !wantedParts.now.contains($0.id) }
    }

    let old = Shared<[RowSweep: Int]>([:])
    /// Rows that cannot be deleted.
    let awayRows = Shared<RowSweep?>(nil)

    func end(_ rows: RowSweep, most: Int) async throws(WorkError) -> Int {
        if awayRows.now == rows { throw .unavailable(.unavailable(cause: "test")) }
        return old.change { old in
            let gone = min(old[rows, default: 0], most)
            old[rows, default: 0] -= gone
            return gone
        }
    }

    let signUps = Shared<[AgedSignUp]>([])
    let asked = Shared<[(owner: Owner, deletion: NewDeletion)]>([])
    /// The database is away while these are to be erased.
    let awayOwners = Shared<Set<Owner>>([])

    func signUps(after: AgedSignUp?, limit: Int) async throws(WorkError) -> [AgedSignUp] {
        let start = after.flatMap { after in signUps.now.firstIndex(of: after).map { $0 + 1 } } ?? 0
        return Array(signUps.now.dropFirst(start).prefix(limit))
    }
    func requestErasure(ofSignUp owner: Owner, _ deletion: NewDeletion) async throws(WorkError) -> Bool {
        if goneOwners.now.contains(owner) { throw .ownerGone }
        if awayOwners.now.contains(owner) { throw .unavailable(.unavailable(cause: "test")) }
        asked.change { $0.append((owner, deletion)) }
        return true
    }

    /// Entries of the trash and with recordings that are too old, and their objects.
    let trashed = Shared<[EndedObject]>([])
    let overdue = Shared<[EndedObject]>([])

    func endedTrash(limit: Int) async throws(WorkError) -> [(owner: Owner, entry: EntryID)] {
        trashed.now.prefix(limit).map { ($0.owner, EntryID($0.id)) }
    }
    func endTrash(_ entry: EntryID, of owner: Owner) async throws(WorkError) -> RecordingObjects? {
        Self.take(entry, of: trashed).map { RecordingObjects(original: $0.object) }
    }
    func overdueAudio(limit: Int) async throws(WorkError) -> [(owner: Owner, entry: EntryID)] {
        overdue.now.prefix(limit).map { ($0.owner, EntryID($0.id)) }
    }
    func removeAudio(_ entry: EntryID, of owner: Owner) async throws(WorkError) -> Bool {
        guard let found = Self.take(entry, of: overdue) else { return false }
        ended.change { $0[.removedAudio, default: []].append(found) }
        return true
    }

    private static func take(_ entry: EntryID, of rows: Shared<[EndedObject]>) -> EndedObject? {
        rows.change { rows in
            defer { rows.removeAll { $0.id == entry.uuid } }
            return rows.first { $0.id == entry.uuid }
        }
    }

    /// Entries in the trash whose recordings are not checked; and those whose rows say that it has arrived.
    let unchecked = Shared<[AwaitingUpload]>([])
    let arrived = Shared<[EntryID]>([])

    func uncheckedTrash(after: EntryID?, limit: Int) async throws(WorkError) -> [AwaitingUpload] {
        let entries = unchecked.now.sorted { $0.entry.description < $1.entry.description }
        return Array(entries.drop { entry in after.map { entry.entry.description <= $0.description } ?? false }.prefix(limit))
    }
    func arrivedInTrash(_ upload: AwaitingUpload) async throws(WorkError) { arrived.change { $0.append(upload.entry) } }
    /// Objects of entries whose check has ended well.
    let checked = Shared<Set<UUID>>([])

    func checkedUploads(among keys: [ObjectKey]) async throws(WorkError) -> [ObjectKey] {
        keys.filter { checked.now.contains($0.object) }
    }
}

extension EndedObject {
    static func someones(_ object: UUID = UUID(), at kinds: [ObjectKey.Kind] = [.export]) -> EndedObject {
        let owner = Owner.someone
        return EndedObject(
            owner: owner, id: UUID(), object: object, keys: kinds.map { ObjectKey(kind: $0, owner: owner, object: object) })
    }
}
