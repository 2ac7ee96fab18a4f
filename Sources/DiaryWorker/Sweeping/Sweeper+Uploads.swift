import DiaryCore
import FoundationEssentials
import Logging

/// Completes uploads that arrived without the app's report, and expires entries whose recordings did not arrive.
extension Sweeper {
    func settleUploads(_ progress: inout SweepProgress) async throws {
        let recent = clock.now().addingTimeInterval(-Self.recentSeconds)
        let lowest = EntryID(UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)))
        let age = 2 * limits.sweepSeconds
        var lookups = FailedLookups()
        try await settle(&progress.recent, &lookups, from: SweepProgress.Place(at: recent, entry: lowest), placed: \.createdAt) { place in
            try await store.awaitingUploads(
                olderThanSeconds: age, after: place.map { (createdAt: $0.at, entry: $0.entry) }, limit: Self.batch)
        }
        // The walk above has read the later ones.
        try await settle(&progress.old, &lookups, until: recent, placed: \.createdAt) { place in
            try await store.awaitingUploads(
                olderThanSeconds: age, after: place.map { (createdAt: $0.at, entry: $0.entry) }, limit: Self.batch)
        }
        try await settle(&progress.late, &lookups, mayExpire: false, placed: \.expiresAt) { place in
            try await store.lateUploads(after: place.map { (expiresAt: $0.at, entry: $0.entry) }, limit: Self.batch)
        }
    }

    private func settle(
        _ walk: inout SweepWalk<SweepProgress.Place>, _ lookups: inout FailedLookups, from first: SweepProgress.Place? = nil,
        until end: Date = .distantFuture, mayExpire: Bool = true, placed: (AwaitingUpload) -> Date,
        _ read: (SweepProgress.Place?) async throws -> [AwaitingUpload]
    ) async throws {
        var pages = Self.pages
        while walk.isUnderWay, pages > 0 {
            pages -= 1
            let place = walk.place ?? first
            let all = try await read(place)
            var next = all.last.map { SweepProgress.Place(at: placed($0), entry: $0.entry) }
            // Without this a page that ends where the one before it did would be read again and again.
            let isRepeated = next.map { ($0.at, $0.entry) == (place?.at, place?.entry) } ?? true
            if all.count < Self.batch || isRepeated || next.map({ $0.at >= end }) ?? true { next = nil }
            walk.reached(next)
            let page = all.filter { placed($0) < end }
            guard !page.isEmpty else { continue }
            let found = try await objects.facts(of: page.map(staged))
            let unread = lookups.note(found)
            try await each(Array(zip(page, found))) { upload, facts in
                switch facts {
                case .success(let facts) where facts?.size == upload.size || mayExpire: try await settle(upload, size: facts?.size)
                case .success, .failure: break
                }
            }
            if unread > 0 { logger.warning("uploads not looked at", metadata: ["uploads": .stringConvertible(unread)]) }
            try lookups.check()
        }
    }

    private func staged(_ upload: AwaitingUpload) -> ObjectKey { ObjectKey(kind: .staging, owner: upload.owner, object: upload.object) }

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

    private func complete(_ upload: AwaitingUpload) async throws {
        let job = NewJob(.verify, id: JobID(UUIDv7.make(at: clock.now())), cost: JobCost.verify(bytes: upload.size))
        try await store.completeUpload(upload, size: upload.size, job: job)
        jobSignals.jobCommitted(job.kind)
    }
}
