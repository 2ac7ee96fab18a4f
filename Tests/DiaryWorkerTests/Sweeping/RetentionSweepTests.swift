import DiaryCore
import DiaryTesting
import Foundation
import TestSupport
import Testing

@testable import DiaryWorker

@Suite("Retention, by the sweeper")
struct RetentionSweepTests {
    let store = ScriptedSweepStore()
    let objects = MemoryObjects()
    let sweeper: Sweeper

    init() throws {
        sweeper = Sweeper(queue: ScriptedJobStore(), marks: MemoryMarks(), registered: try .of(store, objects.store))
    }

    private func recording() -> EndedObject {
        let recording = EndedObject.someones(at: [.audio])
        for key in recording.keys { objects[key] = [1, 2, 3] }
        return recording
    }

    @Test("what has ended in the trash, and overdue recordings, go from rows and store; overdue ones not in every round")
    func ended() async {
        let (trashed, overdue) = (recording(), recording())
        store.trashed.set([trashed])
        store.overdue.set([overdue])

        await sweeper.sweep(settlingAll: false)
        #expect(store.trashed.now.isEmpty && objects.keys == overdue.keys)
        await sweeper.sweep()

        #expect(store.overdue.now.isEmpty && store.forgotten.now == [overdue] && objects.keys.isEmpty)
    }

    @Test("more overdue recordings than a round removes are removed by the next rounds, not some minutes later")
    func pages() async {
        let count = 2 * DiarySweeps.deletions + 1
        store.overdue.set((0..<count).map { _ in EndedObject.someones() })

        await sweeper.sweep()
        #expect(store.overdue.now.count == count - DiarySweeps.deletions)
        for _ in 0..<2 { await sweeper.sweep(settlingAll: false) }

        #expect(store.overdue.now.isEmpty && store.forgotten.now.count == count)
    }

    @Test("objects of many recordings are deleted in one request")
    func together() async {
        let requests = Shared(0)
        store.ended.set([.removedAudio: (0..<20).map { _ in recording() }])
        objects.bytes.hooks.deleting = { _ async throws(ObjectStoreError) in requests.change { $0 += 1 } }

        await sweeper.sweep(settlingAll: false)

        #expect(requests.now == 1 && store.ended.now[.removedAudio] == [] && objects.keys.isEmpty)
    }
}
