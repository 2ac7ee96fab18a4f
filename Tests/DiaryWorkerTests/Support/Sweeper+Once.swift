import DiaryCore

@testable import DiaryWorker

extension Sweeper {
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
