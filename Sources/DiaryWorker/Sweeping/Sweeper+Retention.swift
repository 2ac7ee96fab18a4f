import DiaryCore
import Logging

/// Ends entries in the trash and removes recordings whose time has come, some rows in a round. The row is written before the object is
/// deleted: a recording that is removed is not played, and a later round deletes its object when this one ends in between.
extension Sweeper {
    /// Entries whose time in the trash has ended. An object that stays is an orphan.
    func endTrash() async throws {
        var keys: [ObjectKey] = []
        try await each(try await retention.endedTrash(limit: Self.deletions)) { ended in
            if let recording = try await retention.endTrash(ended.entry, of: ended.owner) { keys += recording.keys(of: ended.owner) }
        }
        _ = try await delete(keys)
    }

    /// Recordings that their accounts keep no longer.
    /// - Returns: whether there may be more, for the next round.
    func removeOverdueAudio() async throws -> Bool {
        let overdue = try await retention.overdueAudio(limit: Self.deletions)
        var removed = 0
        try await each(overdue) { due in
            if try await retention.removeAudio(due.entry, of: due.owner) { removed += 1 }
        }
        if removed > 0 { logger.notice("recordings removed by retention", metadata: ["recordings": .stringConvertible(removed)]) }
        // Stops when nothing was removed, or the same page would be read again.
        return overdue.count >= Self.deletions && removed > 0
    }

    /// Objects of recordings that rows say are removed.
    func deleteRemovedAudio() async throws {
        let removed = try await retention.removedAudio(limit: Self.deletions)
        let left = try await delete(removed.flatMap { $0.recording.keys(of: $0.owner) })
        try await each(removed) { removed in
            guard left.isDisjoint(with: removed.recording.keys(of: removed.owner)) else { return }
            try await retention.forgetAudio(removed.entry, of: removed.owner)
        }
    }
}
