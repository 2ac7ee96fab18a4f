import DiaryCore
import Logging

/// Ends entries in the trash and removes recordings whose time has come, some rows in a round. The row is written before the object is
/// deleted: a recording that is removed is not played, and a later round deletes its object when this one ends in between.
extension DiarySweeps {
    /// Entries whose time in the trash has ended. An object that stays is an orphan.
    func endTrash() async throws -> Bool {
        var keys: [ObjectKey] = []
        let ended = try await store.endedTrash(limit: Self.deletions)
        try await each(ended) { ended in
            if let recording = try await store.endTrash(ended.entry, of: ended.owner) { keys += recording.keys(of: ended.owner) }
        }
        _ = try await delete(keys)
        return ended.count >= Self.deletions
    }

    /// Recordings that their accounts keep no longer.
    func removeOverdueAudio() async throws -> Bool {
        let overdue = try await store.overdueAudio(limit: Self.deletions)
        var removed = 0
        try await each(overdue) { due in
            if try await store.removeAudio(due.entry, of: due.owner) { removed += 1 }
        }
        if removed > 0 { logger.notice("recordings removed by retention", metadata: ["recordings": .stringConvertible(removed)]) }
        // Stops when nothing was removed, or the same page would be read again.
        return overdue.count >= Self.deletions && removed > 0
    }
}
