import DiaryCore
import Logging

/// What ends with time. The row is written before the object is deleted: a recording that is removed is not played, and its object is
/// deleted by a later round when this one ends in between.
extension Sweeper {
    /// Entries whose time in the trash has ended.
    func endTrash() async throws {
        try await each(try await retention.endedTrash(limit: Self.batch)) { ended in
            guard let recording = try await retention.endTrash(ended.entry, of: ended.owner) else { return }
            try await objects.deleteRecording(recording, of: ended.owner)
        }
    }

    /// Recordings that their accounts keep no longer.
    func removeOverdueAudio() async throws {
        for _ in 0..<Self.batches {
            let overdue = try await retention.overdueAudio(limit: Self.batch)
            var removed = 0
            try await each(overdue) { due in
                if try await retention.removeAudio(due.entry, of: due.owner) { removed += 1 }
            }
            if removed > 0 { logger.notice("recordings removed by retention", metadata: ["recordings": .stringConvertible(removed)]) }
            try await deleteRemovedAudio()
            // A page that was not removed would come again.
            guard overdue.count >= Self.batch, removed > 0 else { return }
        }
    }

    /// Objects of recordings that rows say are removed.
    func deleteRemovedAudio() async throws {
        try await each(try await retention.removedAudio(limit: Self.batch)) { removed in
            try await objects.deleteRecording(removed.recording, of: removed.owner)
            try await retention.forgetAudio(removed.entry, of: removed.owner)
        }
    }
}
