import DiaryCore
import DiaryTesting
import TestSupport

@testable import DiaryWorker

extension Sweeper {
    /// Over doubles, without uploads in parts.
    static func scripted(
        queue: ScriptedJobStore = ScriptedJobStore(), store: ScriptedSweepStore = ScriptedSweepStore(), retention: ScriptedRetention,
        objects: MemoryObjects, marks: MemoryMarks = MemoryMarks(), signals: SignalLog = SignalLog(), limits: Limits = Limits()
    ) -> Sweeper {
        guard let ring = Stub.keyRing else { preconditionFailure("the stub's key ring is none") }
        let keys = DataKeys(store: FixedKeyStore(ring: ring), ring: ring)
        return Sweeper(
            queue: queue, store: store, retention: retention, objects: objects.store, marks: marks,
            parts: PartSweep(
                store: store, completions: store, parts: StubParts(), keys: keys, jobSignals: signals, limits: limits, logger: .quiet),
            trashed: TrashedUploads(store: retention, objects: objects.store, keys: keys, logger: .quiet), jobSignals: signals,
            limits: limits, logger: .quiet)
    }

    /// One round of a sweeper that has just begun.
    func sweep(settlingAll: Bool = true) async {
        var progress = SweepProgress()
        await sweep(&progress, settlingAll: settlingAll)
    }

    /// A walk over all objects, however many rounds it takes.
    func collectOrphans() async {
        var progress = SweepProgress()
        progress.orphans.begin()
        repeat {
            progress.isStoreDown = false
            await collectOrphans(&progress)
        } while progress.orphans.isUnderWay
    }
}

extension PartSweep {
    /// A walk over all uploads.
    func complete() async throws {
        var walk = SweepWalk<EntryID>()
        walk.begin()
        while walk.isUnderWay { try await complete(&walk) { false } }
    }
}
