import DiaryCore
import FoundationEssentials
import Logging

/// Uploads in parts: joins those whose parts have all arrived and whose app never said `complete`, and deletes those that no entry waits for.
extension DiarySweeps {
    /// Uploads of a page, a request each to a bucket.
    private static let partUploads = 100
    /// Joined in a round, which the other sweeps wait for.
    static let joined = 8

    func completeParts(_ walk: inout SweepWalk<EntryID>) async throws {
        let page = try await store.awaitingParts(after: walk.place, limit: Self.partUploads)
        var joined = 0
        try await each(page) { awaiting in
            guard joined < Self.joined else { return }
            // Advances before the work, so that an upload that fails does not block later ones.
            walk.reached(awaiting.upload.entry)
            if try await complete(awaiting) { joined += 1 }
        }
        if page.count < Self.partUploads, joined < Self.joined { walk.reached(nil) }
    }

    /// - Returns: whether the parts were all there.
    private func complete(_ awaiting: AwaitingParts) async throws -> Bool {
        let arrived: [ArrivedPart]
        do { arrived = try await parts.arrived(awaiting.parts) } catch .missing { return false }
        guard awaiting.parts.isComplete(arrived), let key = try await key(of: awaiting.upload.owner) else { return false }
        do { try await parts.join(awaiting.parts, of: arrived, sealedBy: key) } catch .alreadyExists {
            // A `complete` has joined them and crashed before its commit, or is under way.
        }
        try await complete(awaiting.upload)
        try await parts.discard(awaiting.parts.key, id: nil)
        return true
    }

    /// One that fails is tried again an hour later.
    func collectOrphanParts(_ walk: inout SweepWalk<(after: StoredPartUpload, deleted: Int)>) async throws {
        let place = walk.place
        walk.reached(nil)
        let kept = try await store.keptTimes()
        let before = clock.now().addingTimeInterval(-limits.orphanSeconds)
        let page = try await parts.list(olderThan: before, after: place?.after, limit: Self.partUploads)
        let orphans = try await store.orphans(among: page.uploads)
        var deleted = place?.deleted ?? 0
        try await each(orphans.filter { orphan in !kept.contains { $0.contains(orphan.storedAt) } }) { orphan in
            try await parts.discard(orphan.key, id: orphan.id)
            deleted += 1
        }
        if let next = page.next { return walk.reached((after: next, deleted: deleted)) }
        if deleted > 0 { logger.notice("orphan parts deleted", metadata: ["sets": .stringConvertible(deleted)]) }
    }
}
