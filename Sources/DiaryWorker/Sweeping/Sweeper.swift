package import DiaryCore
import FoundationEssentials
package import Logging
import ServiceLifecycle

/// Repairs what crashes leave: expired leases, uploads whose app was killed, expired zips, objects that no row names.
/// Every worker sweeps; each step is idempotent. A step that fails is tried again in the next round.
package struct Sweeper: Service {
    let queue: any JobQueue
    let store: any SweepStore
    let retention: any RetentionSweepStore
    let objects: any ObjectStore
    let marks: any SweepMarks
    let parts: PartSweep?
    let jobSignals: any JobSignals
    let limits: Limits
    let clock: WallClock
    let logger: Logger

    static let batch = 1_000
    /// The most batches in a round.
    static let batches = 100
    static let collectSeconds = 3_600.0
    /// Entries may wait for months, and each costs a look into the object store: those that have waited longer than `recentSeconds` are
    /// looked at every `settleSeconds`, the others every round.
    static let recentSeconds = 86_400.0
    static let settleSeconds = 300.0
    /// Longer than any transaction: an entry between two of them waits for no job.
    static let strandedSeconds = 60.0
    /// Without any sweep, after which a restore of the database may have gone unseen. Sweeps may also be an hour apart.
    static let awaySeconds = 600.0

    package init(
        queue: any JobQueue, store: any SweepStore, retention: any RetentionSweepStore, objects: any ObjectStore, marks: any SweepMarks,
        parts: PartSweep? = nil, jobSignals: any JobSignals, limits: Limits,
        clock: WallClock = .system, logger: Logger
    ) {
        self.queue = queue
        self.store = store
        self.retention = retention
        self.objects = objects
        self.marks = marks
        self.parts = parts
        self.jobSignals = jobSignals
        self.limits = limits
        self.clock = clock
        self.logger = logger
    }

    package func run() async throws {
        var (collectedAt, settledAt): (ContinuousClock.Instant?, ContinuousClock.Instant?)
        var isMoreToCollect = false
        var isFirst = true
        while !isStopping {
            let isNoted = await noteSweep(isFirst: isFirst)
            if isNoted { isFirst = false }
            let settlesAll = settledAt.map { $0.duration(to: .now) >= .seconds(Self.settleSeconds) } ?? true
            if settlesAll { settledAt = .now }
            await sweep(settlingAll: settlesAll)
            let isDue = collectedAt.map { $0.duration(to: .now) >= .seconds(Self.collectSeconds) } ?? true
            if isDue || isMoreToCollect { isMoreToCollect = await sweepBookkeeping() }
            // Without the comparison a restored database would make orphans of recordings.
            if isDue, isNoted {
                collectedAt = .now
                await collectOrphans()
            }
            let wait = limits.sweepSeconds * Double.random(in: 0.75...1.25)
            await cancelWhenGracefulShutdown { await pause(wait) }
        }
    }

    private var isStopping: Bool { Task.isCancelled || Task.isShuttingDownGracefully }

    /// Counts this sweep in the database and beside the objects, and so finds out whether an older database was restored.
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

    /// Every round.
    func sweep(settlingAll: Bool = true) async {
        await step("leases") { try await rescue() }
        // Before the uploads, which give up what has expired.
        if settlingAll, let parts { await step("part uploads") { try await parts.complete { isStopping } } }
        await step("uploads") { try await settleUploads(all: settlingAll) }
        await step("zips") { try await deleteZips() }
        await step("trash") { try await endTrash() }
        await step("removed audio") { try await deleteRemovedAudio() }
        // Reads all entries on their way, of which a backlog has many.
        if settlingAll { await step("stranded") { try await mendStranded() } }
        // Days, so a minute does not matter.
        if settlingAll { await step("retention") { try await removeOverdueAudio() } }
    }

    /// Every hour: orphans are not urgent.
    func collectOrphans() async {
        for kind in [ObjectKey.Kind.staging, .audio, .export] {
            await step("orphans") { try await collectOrphans(kind) }
        }
        if let parts { await step("orphans") { try await parts.collectOrphans(kept: try await store.keptTimes()) { isStopping } } }
    }

    /// Deletes old rows, every hour. Bounded, because the rescue of leases waits for the end of the round. A kind of row that fails does
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

    /// Entries that wait for a job that is not there: none is left by any step of the service, so each is told to the operator.
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

    private func settleUploads(all: Bool) async throws {
        let lowest = EntryID(UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)))
        // Every page in one round: uploads that wait for days must not hide the ones behind them.
        var after: (createdAt: Date, entry: EntryID)? = all ? nil : (clock.now().addingTimeInterval(-Self.recentSeconds), lowest)
        while true {
            let page = try await store.awaitingUploads(olderThanSeconds: 2 * limits.sweepSeconds, after: after, limit: Self.batch)
            let found = try await objects.facts(of: page.map(staged))
            try await each(Array(zip(page, found))) { upload, facts in
                try await settle(upload, size: facts.get()?.size)
            }
            guard page.count >= Self.batch, let last = page.last else { return }
            // A page that ends where the one before did would repeat without end.
            if let after, (after.createdAt, after.entry) == (last.createdAt, last.entry) { return }
            after = (last.createdAt, last.entry)
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
            let found = try await objects.facts(of: [key, final])
            let stored = try found.first?.get()?.size
            guard stored != upload.size else { return }
            if try found.last?.get()?.size == upload.size { return try await complete(upload) }
            // The store refuses when the upload was acknowledged, completed or renewed since. Nothing is deleted here: a PUT may be under way,
            // and what it stores is the recording.
            try await store.abandonUpload(
                upload, at: now, arrivedBefore: now.addingTimeInterval(-limits.lostUploadSeconds),
                object: stored == nil ? nil : UUIDv7.make(at: now))
        }
    }

    private func complete(_ upload: AwaitingUpload) async throws {
        let job = NewJob(.verify, id: JobID(UUIDv7.make(at: clock.now())), cost: JobCost.verify(bytes: upload.size))
        try await store.completeUpload(upload, size: upload.size, job: job)
        jobSignals.jobCommitted(job.kind)
    }

    /// The zip first: after a crash in between, the next round clears the row.
    private func deleteZips() async throws {
        try await each(try await store.endedExports(limit: Self.batch)) { ended in
            try await objects.delete(ObjectKey(kind: .export, owner: ended.owner, object: ended.object))
            try await store.forgetZip(ended.export, of: ended.owner)
        }
    }

    /// Counts before it deletes, so that the log says first how many will go.
    private func collectOrphans(_ kind: ObjectKey.Kind) async throws {
        let found = try await walkOrphans(kind) { _ in }
        if found.kept > 0 {
            logger.warning(
                "orphan objects kept: see diary objects orphans",
                metadata: ["kind": "\(kind.rawValue)", "objects": .stringConvertible(found.kept)])
        }
        guard found.removable > 0 else { return }
        logger.notice("orphan objects found", metadata: ["kind": "\(kind.rawValue)", "objects": .stringConvertible(found.removable)])
        let deleted = try await walkOrphans(kind) { orphans in
            try await each(orphans) { orphan in try await objects.delete(orphan) }
        }
        logger.notice("orphan objects deleted", metadata: ["kind": "\(kind.rawValue)", "objects": .stringConvertible(deleted.removable)])
    }

    /// - Parameter body: gets those that may be deleted, page by page.
    private func walkOrphans(
        _ kind: ObjectKey.Kind, _ body: ([ObjectKey]) async throws -> Void
    ) async throws -> (removable: Int, kept: Int) {
        let before = clock.now().addingTimeInterval(-limits.orphanSeconds)
        let kept = try await store.keptTimes()
        var count = (removable: 0, kept: 0)
        var after: ObjectKey?
        repeat {
            if isStopping { throw CancellationError() }
            let page = try await objects.list(kind, olderThan: before, after: after, limit: Self.batch)
            let storedAt = Dictionary(page.objects.map { ($0.key, $0.storedAt) }) { first, _ in first }
            let orphans = page.objects.isEmpty ? [] : try await store.orphans(among: page.keys)
            let removable = orphans.filter { orphan in storedAt[orphan].map { time in !kept.contains { $0.contains(time) } } ?? false }
            count.removable += removable.count
            count.kept += orphans.count - removable.count
            try await body(removable)
            after = page.next
        } while after != nil
        return count
    }

    /// An item that fails does not stop the others; a database outage ends the step.
    func each<Item>(_ items: [Item], _ work: (Item) async throws -> Void) async throws {
        for item in items {
            if isStopping { throw CancellationError() }
            do {
                try await work(item)
            } catch let error as WorkError {
                if error.isOutage { throw error }
                logger.warning("not swept", metadata: ["error": "\(error)"])
            } catch let error as ObjectStoreError {
                logger.warning("not swept", metadata: ["error": "object store: \(error)"])
            }
        }
    }

    private func step(_ name: String, _ work: () async throws -> Void) async {
        do {
            try await work()
        } catch {
            guard !isStopping else { return }
            logger.warning("sweep step failed", metadata: ["step": "\(name)", "cause": "\(JobStop(any: error).cause ?? "work store")"])
        }
    }
}
