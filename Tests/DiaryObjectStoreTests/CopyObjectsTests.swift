import DiaryCore
import DiaryTesting
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import DiaryObjectStore

@Suite("Copying objects")
struct CopyObjectsTests {
    @Test(
        "objects come to the target as they are stored, page by page; staging waits; a second run finds all there and compares it",
        arguments: CopyScene.pairs)
    func copied(from: TestedByteStore, to: TestedByteStore) async throws {
        let scene = try await CopyScene(from, to)
        let objects = try await scene.fill([0, 1, 4_096, 300_001])
        let staged = try await scene.fill([10], [.staging], users: 1)
        let sizes = objects.values.reduce(0) { $0 + Int64($1.count) }

        let first = try await scene.copy()
        let second = try await scene.copy()
        let third = try await scene.copy(comparing: true)

        #expect(try await scene.targetHas(objects))
        #expect(first.objects == 16 && first.bytes == sizes && first.copied == 16 && first.copiedBytes == sizes && first.present == 0)
        #expect(second.copied == 0 && second.present == 16 && second.presentBytes == sizes && second.compared == 0)
        #expect(third.copied == 0 && third.compared == 16)
        #expect([first, second, third].allSatisfy { $0.waiting == 1 && $0.extra == 0 && $0.vanished == 0 })
        for (key, bytes) in objects.merging(staged, uniquingKeysWith: { $1 }) {
            #expect(try await scene.from.get(key, pieces: 100_000) == bytes)
        }
    }

    @Test("between folders staging is copied too; what the target has beyond that stays, and is counted")
    func staging() async throws {
        let scene = try await CopyScene(.disk, .disk)
        let objects = try await scene.fill([10, 70_000], [.staging, .audio])
        var there = objects
        for kind in ObjectKey.Kind.allCases {
            let key = scene.to.key(kind)
            there[key] = [1, 2, 3]
            try await scene.to.put(key, [1, 2, 3])
        }

        let counts = try await scene.copy(staging: true)

        #expect(try await scene.targetHas(there))
        #expect(counts.copied == 8 && counts.extra == 4 && counts.waiting == 0)
    }

    @Test(
        "a run that is ended in the middle leaves only objects that it has read back, and the next one goes on", arguments: CopyScene.pairs)
    func resumed(from: TestedByteStore, to: TestedByteStore) async throws {
        let scene = try await CopyScene(from, to)
        let objects = try await scene.fill([5_000, 5_001, 100_000, 100_001, 100_002])
        let put = Counter()
        let run = Mutex<Task<CopyObjects.Counts, any Error>?>(nil)
        let read = Shared<Set<ObjectKey>>([])
        scene.target.hooks.beforeGet = { key in read.change { _ = $0.insert(key) } }
        scene.target.hooks.afterPut = { _ in if put.next() == 7 { run.withLock { $0?.cancel() } } }
        // Held until the task is known, so that the hook finds it.
        let task = run.withLock { run in
            let task = Task { try await scene.copy(jobs: 2) }
            run = task
            return task
        }

        await #expect(throws: CancellationError.self) { try await task.value }
        scene.target.hooks = .init()
        let left = try await scene.to.store.head(Array(objects.keys), leading: 0).compactMap { try $0.get()?.key }
        #expect(left.count >= 5 && Set(left).isSubset(of: read.now))
        let second = try await scene.copy()

        #expect(second.present == left.count && second.present < objects.count && second.present + second.copied == objects.count)
        #expect(try await scene.targetHas(objects))
    }

    @Test("what is deleted at the source while it is copied is no error, and not at the target afterwards")
    func deleted() async throws {
        let scene = try await CopyScene()
        let objects = try await scene.fill([1_000, 1_001, 1_002])
        let keys = objects.keys.sorted { $0.description < $1.description }
        scene.source.hooks.beforeGet = { [from = scene.from] key in if key == keys[1] { try await from.store.delete(key) } }
        scene.target.hooks.afterPut = { [from = scene.from] key in if key == keys[3] { try await from.store.delete(key) } }
        let findings = CopyScene.Findings()

        let counts = try await scene.copy(findings: findings)

        #expect(counts.vanished == 2 && counts.copied == objects.count - 2 && findings.all.isEmpty)
        #expect(try await scene.targetHas(objects.filter { ![keys[1], keys[3]].contains($0.key) }))
    }

    @Test("a target that returns other bytes once is sent the object again; one that always does keeps none and is reported")
    func altered() async throws {
        let scene = try await CopyScene()
        let objects = try await scene.fill([50_000, 50_001], users: 1)
        let keys = objects.keys.sorted { $0.description < $1.description }
        let (once, reads) = (keys[0], Counter())
        let always = keys[1]
        scene.target.hooks.altering = { key, bytes in
            guard key == always || key == once && reads.next() == 1 else { return bytes }
            return bytes.map { $0 ^ 1 }
        }
        let findings = CopyScene.Findings()

        let counts = try await scene.copy(findings: findings)

        #expect(findings.all == [CopyFinding(kind: .altered, key: always)])
        #expect(counts.copied == objects.count - 1)
        #expect(try await scene.targetHas(objects.filter { $0.key != always }))
    }

    @Test("other bytes at the target are reported and left: another length at once, the same length when all is compared")
    func different() async throws {
        let scene = try await CopyScene()
        let objects = try await scene.fill([100, 200], [.audio], users: 1)
        let keys = objects.keys.sorted { (objects[$0]?.count ?? 0) < (objects[$1]?.count ?? 0) }
        let there = [keys[0]: [UInt8](repeating: 9, count: 100), keys[1]: [UInt8](repeating: 9, count: 199)]
        for (key, bytes) in there { try await scene.to.put(key, bytes) }
        let (plain, comparing) = (CopyScene.Findings(), CopyScene.Findings())

        let counts = try await scene.copy(findings: plain)
        try await scene.copy(comparing: true, findings: comparing)

        #expect(plain.all == [CopyFinding(kind: .different, key: keys[1])] && counts.present == 1)
        #expect(Set(comparing.all.map(\.key)) == Set(keys) && comparing.all.allSatisfy { $0.kind == .different })
        #expect(try await scene.targetHas(there))
    }

    @Test("a store that fails for a moment is asked again; one that goes on failing for all ends the run, and what was copied stays")
    func failing() async throws {
        let scene = try await CopyScene()
        let objects = try await scene.fill([10, 11], users: 1)
        let keys = objects.keys.sorted { $0.description < $1.description }
        let gets = Counter()
        scene.source.hooks.beforeGet = { key in if key == keys[0], gets.next() == 1 { throw ObjectStoreError.unavailable(full: false) } }
        #expect(try await scene.copy(jobs: 1).copied == objects.count)

        let other = try await CopyScene()
        let more = try await other.fill([Int](repeating: 10, count: 10), users: 1)
        let copied = Set(more.keys.sorted { $0.description < $1.description }.prefix(5))
        other.source.hooks.beforeGet = { key in if !copied.contains(key) { throw ObjectStoreError.unavailable(full: false) } }
        let findings = CopyScene.Findings()
        await #expect(throws: ObjectStoreError.unavailable(full: false)) { try await other.copy(jobs: 1, findings: findings) }
        #expect(findings.all.count == CopyObjects.unanswered - 1)
        #expect(try await other.targetHas(more.filter { copied.contains($0.key) }))
    }

    @Test("an object that a store never serves is reported, copied or compared, and is not in the way of those after it")
    func unanswered() async throws {
        let scene = try await CopyScene()
        let objects = try await scene.fill([10, 11, 12, 13], users: 1)
        let keys = objects.keys.sorted { $0.description < $1.description }
        let silent = Set([keys[0], keys[2], keys[3], keys[5]])
        scene.source.hooks.beforeGet = { key in
            if silent.contains(key), key != keys[5] { throw ObjectStoreError.unavailable(full: false) }
        }
        // Taken, and never read back: the next run must not take it for a copy.
        scene.target.hooks.beforeGet = { key in if key == keys[5] { throw ObjectStoreError.unavailable(full: false) } }
        let (copying, comparing, later) = (CopyScene.Findings(), CopyScene.Findings(), CopyScene.Findings())

        #expect(try await scene.copy(jobs: 1, findings: copying).copied == objects.count - silent.count)
        (scene.source.hooks, scene.target.hooks) = (.init(), .init())
        #expect(try await scene.copy(findings: later).copied == silent.count)
        scene.target.hooks.beforeGet = { key in if key == keys[1] { throw ObjectStoreError.unavailable(full: false) } }
        #expect(try await scene.copy(comparing: true, findings: comparing).compared == objects.count - 1)

        #expect(Set(copying.all.map(\.key)) == silent && copying.all.allSatisfy { $0.kind == .unanswered })
        #expect(later.all.isEmpty && comparing.all == [CopyFinding(kind: .unanswered, key: keys[1])])
        #expect(try await scene.targetHas(objects))
    }

    @Test(
        "what a put without an answer stored is deleted when it is never read back, and sent again by the next; what another process put stays"
    )
    func putUnanswered() async throws {
        let scene = try await CopyScene()
        let objects = try await scene.fill([10, 11, 12], users: 1)
        let keys = objects.keys.sorted { $0.description < $1.description }
        let (lost, others) = (keys[1], keys[4])
        let puts = Counter()
        scene.target.hooks.beforePut = { [to = scene.to] key in
            guard key == others, puts.next() == 1 else { return }
            // Put by another process after the listing; the first try fails before it reads its body.
            try await to.put(key, objects[key] ?? [])
            throw ObjectStoreError.unavailable(full: false)
        }
        scene.target.hooks.afterPut = { key in if key == lost { throw ObjectStoreError.unavailable(full: false) } }
        scene.target.hooks.beforeGet = { key in if key == lost || key == others { throw ObjectStoreError.unavailable(full: false) } }
        let (first, second) = (CopyScene.Findings(), CopyScene.Findings())

        #expect(try await scene.copy(jobs: 1, findings: first).copied == objects.count - 2)
        #expect(try await scene.targetHas(objects.filter { $0.key != lost }))
        scene.target.hooks = .init()
        #expect(try await scene.copy(findings: second).copied == 1)

        #expect(Set(first.all.map(\.key)) == [lost, others] && first.all.allSatisfy { $0.kind == .unanswered })
        #expect(second.all.isEmpty)
        #expect(try await scene.targetHas(objects))
    }

    @Test("no more objects than asked for are under way at once")
    func bounded() async throws {
        let scene = try await CopyScene()
        let objects = try await scene.fill([Int](repeating: 100, count: 20), users: 1)
        let gauge = Gauge()
        scene.source.hooks.beforeGet = { _ in
            gauge.enter()
            for _ in 0..<20 { await Task.yield() }
        }
        scene.target.hooks.afterPut = { _ in gauge.leave() }

        #expect(try await scene.copy(jobs: 3).copied == objects.count)

        #expect((2...3).contains(gauge.peak) && gauge.total == objects.count)
    }
}
