package import DiaryCore
import DiaryCrypto
import FoundationEssentials
package import Logging

/// The sweeper's work on uploads in parts: joins those whose parts have all arrived and whose app never said `complete`, and deletes the uploads that no
/// entry waits for.
package struct PartSweep: Sendable {
    let store: any PartSweepStore
    let completions: any SweepStore
    let parts: any UploadParts
    let keys: DataKeys
    let jobSignals: any JobSignals
    let limits: Limits
    let clock: WallClock
    let logger: Logger

    /// Uploads that are looked at in a round, a request each to a bucket.
    static let batch = 100
    /// Joined in a round, which the other steps wait for.
    static let joined = 8

    package init(
        store: any PartSweepStore, completions: any SweepStore, parts: any UploadParts, keys: DataKeys, jobSignals: any JobSignals,
        limits: Limits, clock: WallClock = .system, logger: Logger
    ) {
        self.store = store
        self.completions = completions
        self.parts = parts
        self.keys = keys
        self.jobSignals = jobSignals
        self.limits = limits
        self.clock = clock
        self.logger = logger
    }

    /// A page of uploads.
    func complete(_ walk: inout SweepWalk<EntryID>, _ isStopping: () -> Bool) async throws {
        guard walk.isUnderWay else { return }
        let page = try await store.awaitingParts(after: walk.place, limit: Self.batch)
        var (joined, failures) = (0, 0)
        for awaiting in page where joined < Self.joined {
            if isStopping() { throw CancellationError() }
            // Advances before the work, so that an upload that fails does not block later ones.
            walk.reached(awaiting.upload.entry)
            if try await attempt(&failures, { try await complete(awaiting) }) == true { joined += 1 }
        }
        if page.count < Self.batch, joined < Self.joined { walk.reached(nil) }
    }

    /// - Returns: whether the parts were all there.
    private func complete(_ awaiting: AwaitingParts) async throws -> Bool {
        let (upload, partUpload) = (awaiting.upload, awaiting.parts)
        let arrived: [ArrivedPart]
        do { arrived = try await parts.arrived(partUpload) } catch .missing { return false }
        guard partUpload.isComplete(arrived) else { return false }
        do throws(ObjectStoreError) {
            let key: DataKey
            do throws(DiaryError) { key = try await keys.key(of: upload.owner) } catch {
                guard error.code != .notFound else { return false }
                throw ObjectStoreError.unavailable(full: false)
            }
            try await parts.join(partUpload, of: arrived, sealedBy: key)
        } catch .alreadyExists {
            // A `complete` has joined them and crashed before its commit, or is under way.
        }
        let job = NewJob(.verify, id: JobID(UUIDv7.make(at: clock.now())), cost: JobCost.verify(bytes: upload.size))
        try await completions.completeUpload(upload, size: upload.size, job: job)
        jobSignals.jobCommitted(job.kind)
        try await parts.discard(partUpload.key, id: nil)
        return true
    }

    /// A page of uploads.
    /// - Parameter kept: times whose uploads stay although no entry has them (`SweepStore.keptTimes`).
    func collectOrphans(
        after: StoredPartUpload?, kept: [ClosedRange<Date>], _ isStopping: () -> Bool
    ) async throws -> (deleted: Int, next: StoredPartUpload?) {
        let before = clock.now().addingTimeInterval(-limits.orphanSeconds)
        let page = try await parts.list(olderThan: before, after: after, limit: Self.batch)
        let orphans = try await store.orphans(among: page.uploads)
        var (deleted, failures) = (0, 0)
        for upload in orphans where !kept.contains(where: { $0.contains(upload.storedAt) }) {
            if isStopping() { throw CancellationError() }
            let isDeleted: Bool? = try await attempt(&failures) {
                try await parts.discard(upload.key, id: upload.id)
                return true
            }
            if isDeleted == true { deleted += 1 }
        }
        return (deleted, page.next)
    }

    /// Treats failures as `Sweeper.each` does.
    private func attempt<Value>(_ failures: inout Int, _ work: () async throws -> Value) async throws -> Value? {
        do { return try await work() } catch let error as WorkError {
            if error.isOutage { throw error }
            logger.warning("not swept", metadata: ["error": "\(error)"])
        } catch let error as ObjectStoreError {
            logger.warning("not swept", metadata: ["error": "object store: \(error)"])
            if case .unavailable = error { failures += 1 }
            if failures >= Sweeper.failures { throw error }
        }
        return nil
    }
}
