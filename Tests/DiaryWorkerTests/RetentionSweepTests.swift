import DiaryCore
import DiaryTesting
import Foundation
import TestSupport
import Testing

@testable import DiaryWorker

@Suite("Retention, by the sweeper")
struct RetentionSweepTests {
    let retention = ScriptedRetention()
    let objects = MemoryObjects()

    private var sweeper: Sweeper { .scripted(retention: retention, objects: objects) }

    /// With the object of its copy, and without its original's where the app does not keep it.
    private func recording(isOriginalKept: Bool = true) -> (RemovedAudio, [ObjectKey]) {
        let recording = RemovedAudio(
            owner: .someone, entry: EntryID(UUID()), recording: RecordingObjects(original: UUID(), copy: UUID()))
        let named = isOriginalKept ? [recording.recording.original, recording.recording.copy] : [recording.recording.copy]
        let keys = named.compactMap { $0 }.map { ObjectKey(kind: .audio, owner: recording.owner, object: $0) }
        for key in keys { objects[key] = [1, 2, 3] }
        return (recording, keys)
    }

    @Test("what has ended in the trash, and overdue recordings, go from rows and store; overdue ones not in every round")
    func ended() async {
        let ((trashed, _), (overdue, keys)) = (recording(), recording(isOriginalKept: false))
        retention.trashed.set([trashed])
        retention.overdue.set([overdue])

        await sweeper.sweep(settlingAll: false)
        #expect(retention.trashed.now.isEmpty && Set(objects.keys) == Set(keys))
        await sweeper.sweep()

        #expect(retention.overdue.now.isEmpty && retention.removed.now.isEmpty && objects.keys.isEmpty)
    }

    @Test("a row names a removed recording until its object is gone, also after a crash in between or a store that was away")
    func repeated() async {
        let (first, away) = recording()
        let (second, _) = recording()
        retention.removed.set([first, second])
        objects.bytes.hooks.undeletable = Set(away.suffix(1))

        await sweeper.sweep(settlingAll: false)
        #expect(retention.removed.now.map(\.entry) == [first.entry] && Set(objects.keys) == Set(away.suffix(1)))

        objects.bytes.hooks.undeletable = []
        await sweeper.sweep(settlingAll: false)
        #expect(retention.removed.now.isEmpty && objects.keys.isEmpty)
    }

    @Test("more overdue recordings than a round removes are removed by the next rounds, not some minutes later")
    func pages() async {
        let count = 2 * Sweeper.deletions + 1
        retention.overdue.set(
            (0..<count).map { _ in
                RemovedAudio(owner: .someone, entry: EntryID(UUID()), recording: RecordingObjects(original: UUID()))
            })
        var progress = SweepProgress()

        await sweeper.sweep(&progress, settlingAll: true)
        #expect(retention.overdue.now.count == count - Sweeper.deletions && progress.hasMoreOverdue)
        for _ in 0..<2 { await sweeper.sweep(&progress, settlingAll: false) }

        #expect(retention.overdue.now.isEmpty && retention.removed.now.isEmpty && !progress.hasMoreOverdue)
    }

    @Test("objects of many recordings are deleted in one request")
    func together() async {
        let requests = Shared(0)
        retention.removed.set((0..<20).map { _ in recording().0 })
        objects.bytes.hooks.deleting = { _ async throws(ObjectStoreError) in requests.change { $0 += 1 } }

        await sweeper.sweep(settlingAll: false)

        #expect(requests.now == 1 && retention.removed.now.isEmpty && objects.keys.isEmpty)
    }
}
