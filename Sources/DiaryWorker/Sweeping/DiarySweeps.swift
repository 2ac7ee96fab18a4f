package import DiaryCore
import DiaryCrypto
import FoundationEssentials
package import Logging
import ServiceLifecycle

/// Every sweep. One that deletes rows by their age is a case of `RowSweep`, one that deletes the objects of rows a case of `EndedObjects`; another
/// one is a method in its feature's extension, and a line in `all`.
package struct DiarySweeps: Sendable {
    package let store: any SweepStore
    package let objects: any ObjectStore
    package let parts: any UploadParts
    package let keys: DataKeys
    package let serviceKeys: ServiceKeys
    package let jobSignals: any JobSignals
    package let limits: Limits
    package var clock: WallClock = .system
    package let logger: Logger

    package init(
        store: any SweepStore, objects: any ObjectStore, parts: any UploadParts, keys: DataKeys, serviceKeys: ServiceKeys,
        jobSignals: any JobSignals, limits: Limits, clock: WallClock = .system, logger: Logger
    ) {
        self.store = store
        self.objects = objects
        self.parts = parts
        self.keys = keys
        self.serviceKeys = serviceKeys
        self.jobSignals = jobSignals
        self.limits = limits
        self.clock = clock
        self.logger = logger
    }

    /// Rows and objects of a batch.
    static let batch = 1_000
    /// Rows of a batch whose objects are deleted: their keys fit in one request to a bucket.
    static let deletions = 300
    /// The most batches of old rows in a round.
    static let rowBatches = 100
    /// Pages of uploads that a walk reads in a round, and pages of objects of a kind that the walk over orphans does.
    static let uploadPages = 4
    static let orphanPages = 10
    /// A sweep ends after this many objects that the store could not serve, so that a few broken objects do not stop it.
    static let failures = 3
    /// How long an entry must wait unchanged without a job to count as stranded. Longer than any transaction, so that one under way
    /// does not make it look so.
    static let strandedSeconds = 60.0

    /// In the order of a round.
    var all: [Sweep] {
        let first: [Sweep] = [
            // Not in every round: it reads all entries in processing, of which a backlog has many.
            Sweep("stranded", every: .fiveMinutes, needs: .database) { try await mendStranded() },
            // Retention is in days, so some minutes do not matter.
            Sweep("retention", every: .fiveMinutes, needs: .database) { try await removeOverdueAudio() },
            // Before the uploads, which expire entries.
            .walk("part uploads", every: .fiveMinutes) { try await completeParts(&$0) },
            .walk("uploads", batches: Self.uploadPages) { try await settleRecentUploads(&$0) },
            .walk("old uploads", every: .fiveMinutes, batches: Self.uploadPages) { try await settleOldUploads(&$0) },
            .walk("late uploads", every: .fiveMinutes, batches: Self.uploadPages) { try await settleLateUploads(&$0) },
            Sweep("trash") { try await endTrash() },
        ]
        let last: [Sweep] = [
            .walk("repeated uploads", every: .fiveMinutes) { try await deleteRepeatedUploads(&$0) },
            // It copies recordings.
            .walk("trashed uploads", every: .fiveMinutes) { try await sealTrashedUploads(&$0) },
            .walk("sign-ups", every: .hour, needs: .database) { try await endSignUps(&$0) },
            .walk("orphan parts", every: .hour, needs: .comparedObjects, batches: Self.orphanPages) { try await collectOrphanParts(&$0) },
        ]
        let ended = EndedObjects.allCases.map(endedObjects)
        let rows = RowSweep.allCases.map(oldRows)
        return first + ended + last + rows + ObjectKey.Kind.allCases.map(orphans)
    }

    private func endedObjects(_ kind: EndedObjects) -> Sweep { Sweep("objects: \(kind.rawValue)") { try await deleteEnded(kind) } }

    private func oldRows(_ rows: RowSweep) -> Sweep {
        Sweep(rows.rawValue, every: rows == .importUploads ? .round : .hour, needs: .database, batches: Self.rowBatches) {
            try await store.end(rows, most: Self.batch) >= Self.batch
        }
    }

    private func orphans(_ kind: ObjectKey.Kind) -> Sweep {
        .walk("orphans: \(kind.rawValue)", every: .hour, needs: .comparedObjects, batches: Self.orphanPages) {
            try await collectOrphans(kind, &$0)
        }
    }

    static var isStopping: Bool { Task.isCancelled || Task.isShuttingDownGracefully }

    /// Inserts the missing job of entries that wait without one. No step of the service leaves such an entry, so each is logged as an
    /// error.
    private func mendStranded() async throws -> Bool {
        try await each(try await store.stranded(olderThanSeconds: Self.strandedSeconds, limit: Self.batch)) { entry in
            guard try await store.mend(entry, job: JobID(UUIDv7.make(at: clock.now()))) else { return }
            logger.error(
                "entry waited without a job: made one",
                metadata: ["entry": "\(entry.entry)", "tenant": "\(entry.owner.tenant)", "kind": "\(entry.kind.rawValue)"])
            jobSignals.jobCommitted(entry.kind)
        }
        return false
    }

    /// Requests the erasure of unconfirmed sign-ups. The eraser carries out first what was asked for.
    private func endSignUps(_ walk: inout SweepWalk<AgedSignUp>) async throws {
        let page = try await store.signUps(after: walk.place, limit: Self.batch)
        try await each(page.filter(\.isAbandoned)) { signUp in
            walk.reached(signUp)
            let (deletion, _) = try NewDeletion.of(signUp.owner, uploadSeconds: 0, serviceKeys, at: clock.now())
            try await store.requestErasure(ofSignUp: signUp.owner, deletion)
        }
        walk.reached(page.count < Self.batch ? nil : page.last)
    }

    /// Deletes the objects first and then clears their rows; after a crash in between, the next round clears them.
    private func deleteEnded(_ kind: EndedObjects) async throws -> Bool {
        let ended = try await store.ended(kind, limit: Self.deletions)
        let left = try await delete(ended.flatMap(\.keys))
        if kind == .exportParts, !ended.isEmpty { try Failpoint.exportCheckpointDeleted.hit() }
        try await each(ended) { ended in
            guard left.isDisjoint(with: ended.keys) else { return }
            try await store.forget(ended, of: kind)
        }
        return ended.count >= Self.deletions
    }

    /// - Returns: those that could not be deleted.
    /// - Throws: when the store does not answer.
    func delete(_ keys: [ObjectKey]) async throws(ObjectStoreError) -> Set<ObjectKey> {
        guard !keys.isEmpty else { return [] }
        let left = try await objects.delete(keys)
        if !left.isEmpty { logger.warning("objects not deleted", metadata: ["objects": .stringConvertible(left.count)]) }
        return Set(left)
    }

    /// nil when the account is gone.
    func key(of owner: Owner) async throws(WorkError) -> DataKey? {
        do throws(DiaryError) { return try await keys.key(of: owner) } catch {
            guard error.code == .notFound else { throw .unavailable(error) }
            return nil
        }
    }

    /// An item that fails does not stop the others; a database outage ends the sweep, and so does a store that fails several of them.
    func each<Item>(_ items: [Item], _ work: (Item) async throws -> Void) async throws {
        var failures = 0
        for item in items {
            if Self.isStopping { throw CancellationError() }
            do {
                try await work(item)
            } catch let error as WorkError {
                if error.isOutage { throw error }
                logger.warning("not swept", metadata: ["error": "\(error)"])
            } catch let error as ObjectStoreError {
                logger.warning("not swept", metadata: ["error": "object store: \(error)"])
                guard case .unavailable = error else { continue }
                failures += 1
                if failures >= Self.failures { throw error }
            }
        }
    }

    /// Called after the work on the objects of a page that the store did serve. One that it did not serve may be broken, and is left to the next
    /// walk. Several without one success mean that the store is down.
    /// - Throws: `unavailable` when it is.
    func checkServed(_ found: [Result<ObjectFacts?, ObjectStoreError>]) throws(ObjectStoreError) {
        let failed = found.count { if case .failure(.unavailable) = $0 { true } else { false } }
        if failed > 0 { logger.warning("objects not looked at", metadata: ["objects": .stringConvertible(failed)]) }
        if failed >= Self.failures, failed == found.count { throw .unavailable(full: false) }
    }
}
