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
