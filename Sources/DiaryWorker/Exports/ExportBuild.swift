import DiaryCore
import DiaryCrypto
import FoundationEssentials
import Logging
import ZipArchive

/// One try to build an export's zips.
struct ExportBuild: Sendable {
    struct Built: Sendable {
        var size: Int64
        var entries: Int
        /// Of the snapshot.
        var changesUpto: Int64
    }

    let job: LeasedJob
    let context: ExportContext
    let vault: Vault
    let store: any ExportBuildStore
    let objects: any ObjectStore
    let keys: DataKeys
    /// Above which the next entry begins another part.
    let partBytes: Int64
    let clock: WallClock
    let logger: Logger

    /// Tries that fail for a recording that is missing or damaged: one soon after the first, as it may have been deleted since the snapshot, then two
    /// in which it may come back: from a backup, or in a store that is late.
    static let triesForRecordings = 3

    private var recordings: ExportRecordings {
        ExportRecordings(
            vault: vault, objects: objects, isFirstTry: job.errors == 0, leavesOut: job.errors >= Self.triesForRecordings, logger: logger)
    }

    /// - Parameter folder: of the job, for temporary files.
    func run(in folder: String) async throws -> Built {
        let saved = try await store.checkpoint(of: context.export.id, of: job.owner)
        do {
            var (checkpoint, lost) = (saved, LostRecordings())
            while true {
                do {
                    return try await zips(checkpoint, without: lost, in: folder)
                } catch let more as LostRecordings {
                    // Each turn leaves out at least one more: the original that took the place of a damaged copy may be damaged as well.
                    try await discardCheckpoint()
                    (checkpoint, lost) = (nil, more)
                }
            }
        } catch {
            if Self.isOutdated(error) { try await discardCheckpoint() }
            throw error
        }
    }

    /// - Throws: `LostRecordings`, those of `lost` among them, when recordings of the plan cannot be read and this try leaves such out.
    private func zips(_ saved: ExportCheckpoint?, without lost: LostRecordings, in folder: String) async throws -> Built {
        var checkpoint = saved
        let plan: ExportPlan
        if let saved {
            plan = try await loadCheckpoint(saved, in: folder)
        } else {
            plan = try await self.plan(without: lost, in: folder)
            if plan.parts.count > 1 { checkpoint = try await saveCheckpoint(plan, in: folder) }
        }
        do {
            return try await parts(of: plan, checkpoint, in: folder)
        } catch {
            let recordings = recordings
            guard recordings.leavesOut, Self.isOutdated(error) else { throw error }
            // One recording could not be read. All are checked now, because each further one would cost another attempt at the zip.
            let found = try await recordings.lost(of: plan)
            if found.reasons.isEmpty { throw error }
            throw LostRecordings(reasons: lost.reasons.merging(found.reasons) { known, _ in known })
        }
    }

    /// Whether the next try needs a new snapshot: a recording was deleted after this one and before it was read, or it is damaged, or the
    /// checkpoint cannot be read.
    private static func isOutdated(_ error: any Error) -> Bool {
        switch error {
        case ZipError.memberFailed(let cause): isOutdated(cause)
        case ObjectStoreError.missing, ObjectStoreError.damaged: true
        default: false
        }
    }

    // MARK: The snapshot

    private func plan(without lost: LostRecordings, in folder: String) async throws -> ExportPlan {
        try await TempSpace.require(0, in: folder)
        let assembly = try await ExportAssembly(
            context, partBytes: partBytes, vault: vault, recordings: recordings, without: lost, folder: folder)
        try await store.readExport(context.export, of: vault.owner) {
            await assembly.begin($0)
        } deleted: {
            await assembly.add(deleted: $0)
        } page: {
            try await assembly.add($0)
        }
        return try await assembly.finish()
    }

    private func saveCheckpoint(_ plan: ExportPlan, in folder: String) async throws -> ExportCheckpoint {
        let key = newKey()
        try await objects.putUnhashed(key, from: TempFileStream(plan.file), length: plan.size, sealedBy: vault.key)
        try Failpoint.exportCheckpointStored.hit()
        let entries = plan.parts.map(\.entries)
        try await write(key) {
            try await store.saveCheckpoint(job, object: key.object, keyID: vault.key.id, entries: entries)
        }
        try Failpoint.exportCheckpointSaved.hit()
        return ExportCheckpoint(
            object: key.object, parts: entries.map { ExportCheckpoint.Part(entryCount: $0, object: nil, sizeBytes: nil) })
    }

    private func loadCheckpoint(_ checkpoint: ExportCheckpoint, in folder: String) async throws -> ExportPlan {
        let key = ObjectKey(kind: .export, owner: job.owner, object: checkpoint.object)
        let size = try await objects.facts(key).size
        try await TempSpace.require(size, in: folder)
        let file = try await AppendedFile(folder: folder)
        let stream = try await objects.read(key, range: 0..<size, openedBy: vault.key)
        while let piece = try await stream.next() { try await file.append(piece) }
        try await file.flush()
        let plan = try await ExportPlan(reading: file.file)
        guard plan.parts.map(\.entries) == checkpoint.parts.map(\.entryCount) else { throw ObjectStoreError.damaged }
        return plan
    }

    private func discardCheckpoint() async throws {
        let unnamed = try await store.discardCheckpoint(job)
        // What is left is an orphan, which the sweeper collects.
        _ = try? await objects.delete(unnamed.map { ObjectKey(kind: .export, owner: job.owner, object: $0) })
    }

    // MARK: Zips

    /// - Parameter checkpoint: nil for a single part, of which nothing is kept.
    private func parts(of plan: ExportPlan, _ checkpoint: ExportCheckpoint?, in folder: String) async throws -> Built {
        let known = checkpoint?.parts ?? []
        let finished = zip(plan.parts, known).filter { $0.1.object != nil }.map(\.0)
        let progress = BuildProgress(plan.parts, finished: finished)
        var built = Built(size: 0, entries: plan.parts.reduce(0) { $0 + $1.entries }, changesUpto: plan.changesUpto)
        for (index, part) in plan.parts.enumerated() {
            if index < known.count, known[index].object != nil, let size = known[index].sizeBytes {
                built.size += size
                continue
            }
            let (key, size) = try await reportingProgress(progress) { try await stored(part, of: plan, progress, in: folder) }
            try Failpoint.exportPartStored.hit()
            try await write(key) {
                try await store.finishPart(
                    job, part: index + 1, entries: part.entries, object: key.object, keyID: vault.key.id, size: size)
            }
            try Failpoint.exportPartKept.hit()
            built.size += size
        }
        return built
    }

    /// Packs a part and stores it, sealed, at the same time. This machine's disk holds its longest member and what is packed ahead, not
    /// the whole part.
    private func stored(
        _ part: ExportPlan.Part, of plan: ExportPlan, _ progress: BuildProgress, in folder: String
    ) async throws -> (key: ObjectKey, size: Int64) {
        let records = try await plan.records(of: part)
        var (layout, largest) = (ZipSize(), Int64(0))
        try PlannedMember.forEach(in: records) { member in
            layout.add(path: member.path, size: member.size, length: member.length)
            largest = max(largest, member.size)
        }
        let size = layout.total
        let zip = try await BlockingWork.run { try UnlinkedTempFile(folder: folder) }
        let pipe = ZipPipe(zip)
        try await TempSpace.require(pipe.space(largest: largest, of: layout), in: folder)
        progress.begin(part)
        let writer = ZipWriter(file: zip)
        let members = PartMembers(file: plan.file, objects: objects, vault: vault)
        try PlannedMember.forEach(in: records) { try writer.add(members.member($0)) }
        defer { members.end() }
        let key = newKey()
        let body = PipedZip(pipe) { taken in progress.report(Double(taken) / Double(max(1, size))) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                try await withTaskCancellationHandler {
                    _ = try await writer.finish(through: pipe)
                } onCancel: {
                    members.end()
                }
            }
            group.addTask { try await objects.putUnhashed(key, from: body, length: size, sealedBy: vault.key) }
            // The first failure cancels the other task.
            defer { group.cancelAll() }
            while try await group.next() != nil {}
        }
        progress.end()
        return (key, size)
    }

    private func newKey() -> ObjectKey { ObjectKey(kind: .export, owner: job.owner, object: UUIDv7.make(at: clock.now())) }

    /// Writes a row that names an object which has been stored.
    private func write(_ key: ObjectKey, _ write: () async throws -> Void) async throws {
        try await ResultWriting(keys: keys, owner: job.owner).run(write) { try? await objects.delete(key) }
    }

    // MARK: Progress

    /// Writes how far `work` is, every few seconds, and ends it when the export was revoked or the lease is lost.
    private func reportingProgress<Value: Sendable>(
        _ progress: BuildProgress, _ work: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        try await withThrowingTaskGroup(of: Value?.self) { group in
            group.addTask { try await work() }
            group.addTask {
                while true {
                    try await Task.sleep(for: .seconds(BuildProgress.seconds))
                    let now = progress.now
                    JobProgress.report(now.percent)
                    let isWanted: Bool
                    // Progress that is not written harms nothing.
                    do throws(WorkError) { isWanted = try await store.note(now, job) } catch { continue }
                    if !isWanted { return nil }
                }
            }
            defer { group.cancelAll() }
            guard let first = try await group.next(), let value = first else { throw await stopped() }
            return value
        }
    }

    /// The job of a revoked export is ended by the store.
    private func stopped() async -> JobStop {
        do throws(WorkError) {
            _ = try await store.beginExport(job)
            return .abandoned
        } catch {
            return JobStop(beginning: error)
        }
    }
}
