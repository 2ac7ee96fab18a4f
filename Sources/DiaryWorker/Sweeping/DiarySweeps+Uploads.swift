import DiaryCore
import FoundationEssentials
import Logging

/// Completes uploads that arrived without the app's report, and expires entries whose recordings did not arrive. Entries may wait for months, and each
/// costs a request to the object store: those that have waited for more than a day are looked at less often.
extension DiarySweeps {
    private static let recentSeconds = 86_400.0

    func settleRecentUploads(_ walk: inout SweepWalk<UploadPlace>) async throws {
        let lowest = EntryID(UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)))
        try await settle(&walk, from: (at: recent, entry: lowest), placed: \.createdAt, awaiting)
    }

    func settleOldUploads(_ walk: inout SweepWalk<UploadPlace>) async throws {
        try await settle(&walk, until: recent, placed: \.createdAt, awaiting)
    }

    /// Of entries that have expired.
    func settleLateUploads(_ walk: inout SweepWalk<UploadPlace>) async throws {
        try await settle(&walk, mayExpire: false, placed: \.expiresAt) { try await store.lateUploads(after: $0, limit: Self.batch) }
    }

    private var recent: Date { clock.now().addingTimeInterval(-Self.recentSeconds) }

    private func awaiting(_ place: UploadPlace?) async throws -> [AwaitingUpload] {
        try await store.awaitingUploads(olderThanSeconds: 2 * limits.sweepSeconds, after: place, limit: Self.batch)
    }

    /// A page.
    private func settle(
        _ walk: inout SweepWalk<UploadPlace>, from first: UploadPlace? = nil, until end: Date = .distantFuture, mayExpire: Bool = true,
        placed: (AwaitingUpload) -> Date, _ read: (UploadPlace?) async throws -> [AwaitingUpload]
    ) async throws {
        let place = walk.place ?? first
        let all = try await read(place)
        var next: UploadPlace? = all.last.map { (at: placed($0), entry: $0.entry) }
        // Without this a page that ends where the one before it did would be read again and again.
        let isRepeated = next.map { ($0.at, $0.entry) == (place?.at, place?.entry) } ?? true
        if all.count < Self.batch || isRepeated || next.map({ $0.at >= end }) ?? true { next = nil }
        walk.reached(next)
        let page = all.filter { placed($0) < end }
        guard !page.isEmpty else { return }
        let found = try await objects.facts(of: page.map(staged))
        try await each(Array(zip(page, found))) { upload, facts in
            switch facts {
            case .success(let facts) where facts?.size == upload.size || mayExpire: try await settle(upload, size: facts?.size)
            case .success, .failure: break
            }
        }
        try checkServed(found)
    }

    private func settle(_ upload: AwaitingUpload, size: Int64?) async throws {
        let key = staged(upload)
        let now = clock.now()
        if size == upload.size {
            try await objects.confirmDurable(key)
            try await complete(upload)
        } else if upload.expiresAt < now {
            // It may have arrived since the sizes were read, or have been verified before an older database was restored.
            let final = ObjectKey(kind: .audio, owner: upload.owner, object: upload.object)
            let copy = ObjectKey(kind: .audio, owner: upload.owner, object: PlayableCopy.object(of: upload.object))
            let found = try await objects.facts(of: [key, final, copy]).map { try $0.get()?.size }
            guard found.count == 3, found[0] != upload.size else { return }
            if found[1] == upload.size || found[1] == nil && found[2] != nil { return try await complete(upload) }
            // The store refuses when the upload was acknowledged, completed or renewed since. Nothing is deleted here: a PUT may be under way, and what it stores is the recording.
            try await store.abandonUpload(
                upload, at: now, arrivedBefore: now.addingTimeInterval(-limits.lostUploadSeconds),
                object: found[0] == nil ? nil : UUIDv7.make(at: now))
        }
    }

    func staged(_ upload: AwaitingUpload) -> ObjectKey { ObjectKey(kind: .staging, owner: upload.owner, object: upload.object) }

    func complete(_ upload: AwaitingUpload) async throws {
        let job = NewJob(.verify, id: JobID(UUIDv7.make(at: clock.now())), cost: JobCost.verify(bytes: upload.size))
        try await store.completeUpload(upload, size: upload.size, job: job)
        jobSignals.jobCommitted(job.kind)
    }
}

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
