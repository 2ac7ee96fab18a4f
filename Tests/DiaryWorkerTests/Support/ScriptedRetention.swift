import DiaryCore
import Foundation
import TestSupport

/// What has ended, and what rows say after each step.
final class ScriptedRetention: RetentionSweepStore {
    typealias Recording = RemovedAudio

    let trashed = Shared<[Recording]>([])
    let overdue = Shared<[Recording]>([])
    /// Rows that say that the recording is removed and still name its objects.
    let removed = Shared<[Recording]>([])

    func endedTrash(limit: Int) async throws(WorkError) -> [(owner: Owner, entry: EntryID)] {
        trashed.now.prefix(limit).map { ($0.owner, $0.entry) }
    }
    func endTrash(_ entry: EntryID, of owner: Owner) async throws(WorkError) -> RecordingObjects? {
        trashed.change { rows in
            defer { rows.removeAll { $0.entry == entry } }
            return rows.first { $0.entry == entry }?.recording
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
    func overdueAudio(limit: Int) async throws(WorkError) -> [(owner: Owner, entry: EntryID)] {
        overdue.now.prefix(limit).map { ($0.owner, $0.entry) }
    }
    func removeAudio(_ entry: EntryID, of owner: Owner) async throws(WorkError) -> Bool {
        let found = overdue.change { rows in
            defer { rows.removeAll { $0.entry == entry } }
            return rows.first { $0.entry == entry }
        }
        if let found { removed.change { $0.append(found) } }
        return found != nil
    }
    func removedAudio(limit: Int) async throws(WorkError) -> [RemovedAudio] {
        Array(removed.now.prefix(limit))
    }
    func forgetAudio(_ entry: EntryID, of owner: Owner) async throws(WorkError) {
        removed.change { rows in rows.removeAll { $0.entry == entry } }
    }
}
