import DiaryCore
import DiaryCrypto
import FoundationEssentials
import Logging

/// Recordings of entries in the trash that no worker has checked, and of others whose check failed. In a bucket they would lie in staging, plain and
/// before its lifecycle, for as long as their entries keep them: they are sealed at their final keys, where the check finds them after a restoration
/// or a retry.
extension DiarySweeps {
    /// In a round: each is read and stored again.
    static let sealed = 8

    /// A page of entries.
    func sealTrashedUploads(_ walk: inout SweepWalk<EntryID>) async throws {
        let page = try await store.uncheckedTrash(after: walk.place, limit: Self.batch)
        let end = page.count < Self.batch ? nil : page.last?.entry
        walk.reached(end)
        guard !page.isEmpty else { return }
        let found = try await objects.facts(of: page.map(staged))
        var sealed = 0
        try await each(zip(page, found).filter { upload, facts in (try? facts.get())?.size == upload.size }) { upload, _ in
            guard sealed < Self.sealed else { return }
            // The next round goes on after it: one that is never served does not hide the others.
            walk.reached(upload.entry)
            sealed += 1
            try await seal(upload)
        }
        if sealed < Self.sealed { walk.reached(end) }
        try checkServed(found)
    }

    private func seal(_ upload: AwaitingUpload) async throws {
        guard let key = try await key(of: upload.owner) else { return }
        let staging = staged(upload)
        do {
            let digest = try await digest(of: staging, upload.size, openedBy: key)
            // Before the promotion, after which the next round would not find the object in staging.
            try await store.arrivedInTrash(upload)
            try await objects.promote(
                staging, to: ObjectKey(kind: .audio, owner: upload.owner, object: upload.object), sealedBy: key, sha256: digest)
        } catch ObjectStoreError.missing {
            // Ended, or restored and checked, meanwhile.
        }
    }

    /// Promoting deletes the plain original, and a plain object does not reveal a wrong read. So the bytes are read twice and must agree.
    private func digest(of staging: ObjectKey, _ size: Int64, openedBy key: DataKey) async throws -> [UInt8] {
        let stream = try await objects.read(staging, range: 0..<size, openedBy: key)
        var hash = SHA256Stream()
        while let piece = try await stream.next() { hash.update(piece) }
        return hash.finish()
    }

    /// Recordings that were sent to a bucket once more after their check, by an upload URL that still lived. Nothing reads them there, and they are
    /// plain, so they do not wait for the walk over orphans, which leaves objects for a day.
    func deleteRepeatedUploads(_ walk: inout SweepWalk<ObjectKey>) async throws {
        let page = try await objects.list(.staging, olderThan: .distantFuture, after: walk.place, limit: Self.batch)
        walk.reached(page.next)
        let repeated = try await store.checkedUploads(among: page.keys)
        guard !repeated.isEmpty else { return }
        // A bucket that was restored from an older copy may have a recording in staging alone.
        let originals = try await objects.facts(of: repeated.map { Self.finalKey($0, object: $0.object) })
        let copies = try await objects.facts(of: repeated.map { Self.finalKey($0, object: PlayableCopy.object(of: $0.object)) })
        let kept = zip(repeated, zip(originals, copies)).filter { _, found in Self.isThere(found.0) || Self.isThere(found.1) }.map(\.0)
        let left = try await delete(kept)
        if !kept.isEmpty {
            logger.notice("repeated uploads deleted", metadata: ["objects": .stringConvertible(kept.count - left.count)])
        }
    }

    private static func finalKey(_ staging: ObjectKey, object: UUID) -> ObjectKey {
        ObjectKey(kind: .audio, tenant: staging.tenant, user: staging.user, object: object)
    }

    private static func isThere(_ found: Result<ObjectFacts?, ObjectStoreError>) -> Bool { (try? found.get()) != nil }
}

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
