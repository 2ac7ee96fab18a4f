package import DiaryCore
import DiaryCrypto
import FoundationEssentials
package import Logging

/// The sweeper's work on uploads in parts: joins those whose parts have all arrived and whose app never said `complete`, and deletes the sets that no
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

    static let batch = 1_000
    /// Joined in a round, which the rescue of leases waits for.
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

    func complete(_ isStopping: () -> Bool) async throws {
        var after: EntryID?
        var left = Self.joined
        repeat {
            let page = try await store.awaitingParts(after: after, limit: Self.batch)
            for awaiting in page where left > 0 {
                if isStopping() { throw CancellationError() }
                if try await attempt({ try await complete(awaiting) }) == true { left -= 1 }
            }
            after = page.count == Self.batch && left > 0 ? page.last?.upload.entry : nil
        } while after != nil
    }

    /// - Returns: whether the parts were all there.
    private func complete(_ awaiting: AwaitingParts) async throws -> Bool {
        let (upload, set) = (awaiting.upload, awaiting.parts)
        let arrived: [ArrivedPart]
        do { arrived = try await parts.arrived(set) } catch .missing { return false }
        guard set.isComplete(arrived) else { return false }
        do throws(ObjectStoreError) {
            let key: DataKey
            do throws(DiaryError) { key = try await keys.key(of: upload.owner) } catch {
                guard error.code != .notFound else { return false }
                throw ObjectStoreError.unavailable(full: false)
            }
            try await parts.join(set, of: arrived, sealedBy: key)
        } catch .alreadyExists {
            // A `complete` that died before it told the database, or one that is under way.
        }
        let job = NewJob(.verify, id: JobID(UUIDv7.make(at: clock.now())), cost: JobCost.verify(bytes: upload.size))
        try await completions.completeUpload(upload, size: upload.size, job: job)
        jobSignals.jobCommitted(job.kind)
        try await parts.discard(set.key, id: nil)
        return true
    }

    /// - Parameter kept: times whose sets stay although no entry has them (`SweepStore.keptTimes`).
    func collectOrphans(kept: [ClosedRange<Date>], _ isStopping: () -> Bool) async throws {
        let before = clock.now().addingTimeInterval(-limits.orphanSeconds)
        var after: StoredPartSet?
        var deleted = 0
        repeat {
            if isStopping() { throw CancellationError() }
            let page = try await parts.list(olderThan: before, after: after, limit: Self.batch)
            let orphans = try await store.orphans(among: page.sets)
            for set in orphans where !kept.contains(where: { $0.contains(set.storedAt) }) {
                let isDeleted: Bool? = try await attempt {
                    try await parts.discard(set.key, id: set.id)
                    return true
                }
                if isDeleted == true { deleted += 1 }
            }
            after = page.next
        } while after != nil
        if deleted > 0 { logger.notice("orphan parts deleted", metadata: ["sets": .stringConvertible(deleted)]) }
    }

    /// One that fails does not stop the others; a database outage ends the step.
    private func attempt<Value>(_ work: () async throws -> Value) async throws -> Value? {
        do { return try await work() } catch let error as WorkError {
            if error.isOutage { throw error }
            logger.warning("not swept", metadata: ["error": "\(error)"])
        } catch let error as ObjectStoreError {
            logger.warning("not swept", metadata: ["error": "object store: \(error)"])
        }
        return nil
    }
}
