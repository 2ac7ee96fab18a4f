package import DiaryCore
import FoundationEssentials
package import Logging
import ServiceLifecycle

/// Repairs what crashes leave: expired leases, uploads whose app was killed, expired zips, objects that no row names.
/// Every worker sweeps; each step is idempotent. A step that fails is tried again in the next round.
///
/// Leases are rescued by a loop of their own, so that neither a backlog nor a store that does not answer holds them up. The other steps share rounds:
/// each does a bounded piece, and ends when the store does not answer (decision 0046).
package struct Sweeper: Service {
    let queue: any JobQueue
    let store: any SweepStore
    let retention: any RetentionSweepStore
    let objects: any ObjectStore
    let marks: any SweepMarks
    let parts: PartSweep
    let trashed: TrashedUploads
    let jobSignals: any JobSignals
    let limits: Limits
    let clock: WallClock
    let logger: Logger

    static let batch = 1_000
    /// The most batches of old rows in a round.
    static let batches = 100
    /// Pages of uploads that a walk reads in a round, and pages of objects that the walk over orphans does.
    static let pages = 4
    var orphanPages = 10
    /// Rows in a round whose objects are deleted: their keys fit in one request to a bucket.
    static let deletions = 300
    /// A step ends after this many objects that the store could not serve, so that a few broken objects do not stop it.
    static let failures = 3
    static let collectSeconds = 3_600.0
    /// Entries may wait for months, and each costs a request to the object store. Those that have waited longer than `recentSeconds` are
    /// checked every `settleSeconds`, the others every round.
    static let recentSeconds = 86_400.0
    static let settleSeconds = 300.0
    /// How long an entry must wait unchanged without a job to count as stranded. Longer than any transaction, so that one under way
    /// does not make it look so.
    static let strandedSeconds = 60.0
    /// The time without a sweep after which a restore of the database may have gone unnoticed. Raised for long sweep intervals.
    static let awaySeconds = 600.0

    package init(
        queue: any JobQueue, store: any SweepStore, retention: any RetentionSweepStore, objects: any ObjectStore, marks: any SweepMarks,
        parts: PartSweep, trashed: TrashedUploads, jobSignals: any JobSignals, limits: Limits, clock: WallClock = .system, logger: Logger
    ) {
        self.queue = queue
        self.store = store
        self.retention = retention
        self.objects = objects
        self.marks = marks
        self.parts = parts
        self.trashed = trashed
        self.jobSignals = jobSignals
        self.limits = limits
        self.clock = clock
        self.logger = logger
    }

    package func run() async throws {
        await withTaskGroup(of: Void.self) { loops in
            loops.addTask { await rescueLeases() }
            loops.addTask { await sweepInRounds() }
        }
    }

    private func rescueLeases() async {
        while !isStopping {
            await step("leases") { try await rescue() }
            await pauseBetweenRounds()
        }
    }

    private func sweepInRounds() async {
        var progress = SweepProgress()
        var (collectedAt, settledAt): (ContinuousClock.Instant?, ContinuousClock.Instant?)
        var isMoreToCollect = false
        var isFirst = true
        while !isStopping {
            let isNoted = await noteSweep(isFirst: isFirst)
            if isNoted { isFirst = false }
            let settlesAll = settledAt.map { $0.duration(to: .now) >= .seconds(Self.settleSeconds) } ?? true
            if settlesAll { settledAt = .now }
            await sweep(&progress, settlingAll: settlesAll)
            let isDue = collectedAt.map { $0.duration(to: .now) >= .seconds(Self.collectSeconds) } ?? true
            if isDue || isMoreToCollect { isMoreToCollect = await sweepBookkeeping() }
            // Without the comparison a restored database would make orphans of recordings.
            if isNoted {
                if isDue, !progress.orphans.isUnderWay {
                    collectedAt = .now
                    progress.orphans.begin()
                }
                await collectOrphans(&progress)
            }
            await pauseBetweenRounds()
        }
    }

    private func pauseBetweenRounds() async {
        let wait = limits.sweepSeconds * Double.random(in: 0.75...1.25)
        await cancelWhenGracefulShutdown { await pause(wait) }
    }

    var isStopping: Bool { Task.isCancelled || Task.isShuttingDownGracefully }

    /// Counts this sweep in the database and beside the objects. A difference shows that an older database was restored.
    /// - Returns: false when one of the two is unavailable.
    func noteSweep(isFirst: Bool) async -> Bool {
        var isNoted = false
        await step("mark") {
            let away = max(Self.awaySeconds, 3 * limits.sweepSeconds)
            let noted = try await store.noteSweep(stored: try await marks.number(), isFirst: isFirst, awaySeconds: away)
            switch noted.finding {
            case nil: break
            case .restored: logger.error("database restored: new sync epoch, objects of the lost time are kept")
            case .unobserved: logger.notice("no sweep for a while: objects of that time are kept")
            }
            try await marks.write(noted.number)
            isNoted = true
        }
        return isNoted
    }

    /// A round. Steps that need no store come first.
    func sweep(_ progress: inout SweepProgress, settlingAll: Bool) async {
        progress.isStoreDown = false
        progress.recent.begin()
        if settlingAll {
            progress.old.begin()
            progress.late.begin()
            progress.parts.begin()
            progress.trashed.begin()
            progress.repeated.begin()
        }
        // Not in every round: it reads all entries in processing, of which a backlog has many.
        if settlingAll { await step("stranded") { try await mendStranded() } }
        // Retention is in days, so some minutes do not matter.
        if settlingAll || progress.hasMoreOverdue { await step("retention") { progress.hasMoreOverdue = try await removeOverdueAudio() } }
        // Before the step `uploads`, which expires entries.
        await storeStep("part uploads", &progress) { try await parts.complete(&$0.parts) { isStopping } }
        await storeStep("uploads", &progress) { try await settleUploads(&$0) }
        await storeStep("imports", &progress) { _ in try await deleteImportedZips() }
        await storeStep("zips", &progress) { _ in try await deleteZips() }
        await storeStep("trash", &progress) { _ in try await endTrash() }
        await storeStep("removed audio", &progress) { _ in try await deleteRemovedAudio() }
        await storeStep("repeated uploads", &progress) { try await trashed.deleteRepeated(&$0.repeated) }
        // Last, because it is the slowest: it copies recordings.
        await storeStep("trashed uploads", &progress) { try await trashed.seal(&$0.trashed) { isStopping } }
    }

    /// Deletes old rows, every hour. Bounded, because the other steps wait for the end of the round. A kind of row that fails does
    /// not stop the others.
    /// - Returns: whether there may be more, for the next round.
    func sweepBookkeeping() async -> Bool {
        let hasMoreRows = await batches("bookkeeping") { () throws(WorkError) in try await store.sweepBookkeeping(most: Self.batch) }
        let hasMoreTombstones = await batches("tombstones") { () throws(WorkError) in try await store.sweepTombstones(most: Self.batch) }
        await step("apple grants") { try await store.sweepAppleGrants() }
        return hasMoreRows || hasMoreTombstones
    }

    private func batches(_ name: String, _ sweep: () async throws(WorkError) -> Bool) async -> Bool {
        var isMore = false
        await step(name) {
            for _ in 0..<Self.batches {
                if isStopping { return }
                guard try await sweep() else { return }
            }
            isMore = true
        }
        return isMore
    }

    private func rescue() async throws {
        let kinds = try await queue.rescue(limit: Self.batch, maxCrashes: limits.maxCrashes)
        guard !kinds.isEmpty else { return }
        logger.notice("expired leases rescued", metadata: ["jobs": .stringConvertible(kinds.count)])
        for kind in kinds { jobSignals.jobCommitted(kind) }
    }

    /// Inserts the missing job of entries that wait without one. No step of the service leaves such an entry, so each is logged as an
    /// error.
    private func mendStranded() async throws {
        let stranded = try await store.stranded(olderThanSeconds: Self.strandedSeconds, limit: Self.batch)
        try await each(stranded) { entry in
            guard try await store.mend(entry, job: JobID(UUIDv7.make(at: clock.now()))) else { return }
            logger.error(
                "entry waited without a job: made one",
                metadata: ["entry": "\(entry.entry)", "tenant": "\(entry.owner.tenant)", "kind": "\(entry.kind.rawValue)"])
            jobSignals.jobCommitted(entry.kind)
        }
    }

    /// Deletes the zips of imports that have ended, at both keys where they may be stored.
    private func deleteImportedZips() async throws {
        let ended = try await store.endedImports(limit: Self.deletions / 2)
        func keys(_ owner: Owner, _ object: UUID) -> [ObjectKey] {
            [ObjectKey.Kind.staging, .imported].map { ObjectKey(kind: $0, owner: owner, object: object) }
        }
        let left = try await delete(ended.flatMap { keys($0.owner, $0.object) })
        try await each(ended) { ended in
            guard left.isDisjoint(with: keys(ended.owner, ended.object)) else { return }
            try await store.forgetZip(of: ended.import, ended.owner)
        }
    }

    /// Deletes the zips of exports, and the checkpoints of their builds, and then clears their rows; after a crash in between, the next round
    /// clears them.
    private func deleteZips() async throws {
        let ended = try await store.endedExportParts(limit: Self.deletions)
        let left = try await delete(ended.map { ObjectKey(kind: .export, owner: $0.owner, object: $0.object) })
        if !ended.isEmpty { try Failpoint.exportCheckpointDeleted.hit() }
        try await each(ended) { ended in
            guard !left.contains(ObjectKey(kind: .export, owner: ended.owner, object: ended.object)) else { return }
            try await store.forgetPart(ended.object, of: ended.export, ended.owner)
        }
    }

    /// - Returns: those that could not be deleted.
    /// - Throws: when the store does not answer.
    func delete(_ keys: [ObjectKey]) async throws(ObjectStoreError) -> Set<ObjectKey> {
        guard !keys.isEmpty else { return [] }
        let left = try await objects.delete(keys)
        if !left.isEmpty { logger.warning("objects not deleted", metadata: ["objects": .stringConvertible(left.count)]) }
        return Set(left)
    }

    /// An item that fails does not stop the others; a database outage ends the step, and so does a store that fails several of them.
    func each<Item>(_ items: [Item], _ work: (Item) async throws -> Void) async throws {
        var failures = 0
        for item in items {
            if isStopping { throw CancellationError() }
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

    func step(_ name: String, _ work: () async throws -> Void) async { _ = await outcome(of: name, work) }

    /// After a step that the store did not answer, the round skips its other steps that need the store.
    func storeStep(
        _ name: String, _ progress: inout SweepProgress, _ work: (inout SweepProgress) async throws -> Void
    ) async {
        guard !progress.isStoreDown else { return }
        let error = await outcome(of: name) { try await work(&progress) }
        if case .unavailable? = error as? ObjectStoreError { progress.isStoreDown = true }
    }

    private func outcome(of name: String, _ work: () async throws -> Void) async -> (any Error)? {
        do {
            try await work()
            return nil
        } catch {
            if !isStopping {
                logger.warning(
                    "sweep step failed", metadata: ["step": "\(name)", "cause": "\(JobStop(any: error).cause ?? "work store")"])
            }
            return error
        }
    }
}
