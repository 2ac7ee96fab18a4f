import DiaryCore
import DiaryTesting
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import DiaryWorker

@Suite("The sweeper")
struct SweeperTests {
    let store = ScriptedSweepStore()
    let retention = ScriptedRetention()
    let objects = MemoryObjects()
    let marks = MemoryMarks()
    let signals = SignalLog()

    var sweeper: Sweeper { .scripted(store: store, retention: retention, objects: objects, marks: marks, signals: signals) }

    /// Its window is a day.
    func upload(_ owner: Owner = .someone, age: Double, arrived: Int?) -> AwaitingUpload {
        let upload = AwaitingUpload(
            owner: owner, entry: EntryID(UUID()), object: UUID(), size: 3, createdAt: .now.addingTimeInterval(-age),
            expiresAt: .now.addingTimeInterval(86_400 - age))
        if let arrived { objects[ObjectKey(kind: .staging, owner: owner, object: upload.object)] = [UInt8](repeating: 1, count: arrived) }
        store.waiting.change { $0.append(upload) }
        return upload
    }

    @Test(
        "D7: an upload whose app was killed is completed, an entry whose window has ended fails, and an owner that is gone does not stop the others"
    )
    func uploads() async {
        let gone = Owner.someone
        store.goneOwners.set([gone])
        _ = upload(gone, age: 60, arrived: 3)
        let arrived = upload(age: 60, arrived: 3)
        _ = upload(age: 60, arrived: nil)
        let old = upload(age: 90_000, arrived: nil)
        let partial = upload(age: 90_000, arrived: 2)

        await sweeper.sweep()

        #expect(store.completed.now == [arrived.entry])
        #expect(objects.bytes.confirmed.last == staged(arrived))
        #expect(store.abandoned.now == [old.entry, partial.entry])
        #expect(signals.kinds == [.verify])
        // Nothing is deleted: an upload may be under way. What can never be the recording gives way to another object.
        #expect(store.replaced.now == [partial.entry] && objects[staged(partial)] != nil)
    }

    @Test("an entry that waits without a job gets one, and its workers are told; an owner that is gone does not stop the others")
    func stranded() async {
        let gone = Owner.someone
        store.goneOwners.set([gone])
        let entries = [gone, .someone, .someone].map { StrandedEntry(owner: $0, entry: EntryID(UUID()), kind: .clean) }
        store.stranded.set(entries)

        await sweeper.sweep(settlingAll: false)
        #expect(store.mended.now.isEmpty)
        await sweeper.sweep()

        #expect(store.mended.now == entries.dropFirst().map(\.entry))
        #expect(signals.kinds == [.clean, .clean])
    }

    @Test("D7: a thousand abandoned uploads hide no other, and a repeated page ends the step")
    func pages() async {
        for _ in 0..<Sweeper.batch { _ = upload(age: 90_000, arrived: nil) }
        let arrived = upload(age: 60, arrived: 3)

        await sweeper.sweep()

        #expect(store.completed.now == [arrived.entry])
        #expect(store.abandoned.now.count == Sweeper.batch)
        // The recent ones, then two pages of all.
        #expect(store.pages.now == 3)

        store.stuck.set(Array(store.waiting.now.prefix(Sweeper.batch)))
        store.pages.set(0)
        await sweeper.sweep()
        #expect(store.pages.now == 4)
    }

    func staged(_ upload: AwaitingUpload) -> ObjectKey { ObjectKey(kind: .staging, owner: upload.owner, object: upload.object) }

    @Test("entries that wait for their recordings are looked for a thousand at a time")
    func waiting() async {
        for _ in 0..<3 * Sweeper.batch { _ = upload(age: 3_600, arrived: nil) }
        let arrived = upload(age: 3_600, arrived: 3)

        await sweeper.sweep()

        #expect(store.completed.now == [arrived.entry])
        #expect(objects.bytes.heads == 4)
    }

    @Test("D7: a recording that cannot be read just now is neither completed nor failed, and does not stop the others")
    func unreadable() async {
        let (young, old) = (upload(age: 60, arrived: 3), upload(age: 90_000, arrived: 3))
        objects.bytes.hooks.unreadable = [staged(young), staged(old)]
        let (arrived, lost) = (upload(age: 60, arrived: 3), upload(age: 90_000, arrived: nil))

        await sweeper.sweep()

        #expect(store.completed.now == [arrived.entry] && store.abandoned.now == [lost.entry])
    }

    @Test("D7: what arrives while the sweeper is about to fail its entry stays and is completed in the next round")
    func lastMoment() async {
        let late = upload(age: 90_000, arrived: nil)
        let key = staged(late)
        objects.bytes.hooks.afterHead = { [objects] in objects[key] = [1, 1, 1] }

        await sweeper.sweep()
        #expect(store.abandoned.now.isEmpty && objects[key] != nil)

        await sweeper.sweep()
        #expect(store.completed.now == [late.entry])
    }

    @Test("D7: an upload that arrived or was completed by its app after the sweeper's last look stays")
    func takenMeanwhile() async {
        let upload = upload(age: 90_000, arrived: 2)
        store.taken.set([upload.entry])

        await sweeper.sweep()

        #expect(store.abandoned.now.isEmpty && objects[staged(upload)] != nil)
    }

    @Test("D7: an acknowledged upload that is not in the store counts as lost after a day")
    func lost() async throws {
        _ = upload(age: 90_000, arrived: nil)

        await sweeper.sweep()

        let before = try #require(store.arrivedBefore.now)
        #expect(abs(before.timeIntervalSinceNow + Limits().lostUploadSeconds) < 60)
    }

    @Test("D7: a recording that a bucket received after its entry had expired is found; what never came stays failed, untouched")
    func late() async {
        let (arrived, never) = (upload(age: 90_000, arrived: 3), upload(age: 90_000, arrived: nil))
        store.waiting.set([])
        store.late.set([arrived, never])

        await sweeper.sweep(settlingAll: false)
        #expect(store.completed.now.isEmpty)
        await sweeper.sweep()

        #expect(store.completed.now == [arrived.entry] && signals.kinds == [.verify])
        #expect(store.abandoned.now.isEmpty)
    }

    @Test("a walk over uploads does some pages in a round and goes on in the next one")
    func rounds() async {
        for _ in 0..<(Sweeper.pages * Sweeper.batch) { _ = upload(age: 3_600, arrived: nil) }
        let last = upload(age: 60, arrived: 3)
        var progress = SweepProgress()

        await sweeper.sweep(&progress, settlingAll: false)
        #expect(store.pages.now == Sweeper.pages && store.completed.now.isEmpty && progress.recent.isUnderWay)
        await sweeper.sweep(&progress, settlingAll: false)

        #expect(store.pages.now == Sweeper.pages + 1 && store.completed.now == [last.entry] && !progress.recent.isUnderWay)
    }

    @Test("A8: leases are rescued while a request to the object store is not answered", .timeLimit(.minutes(1)))
    func leases() async throws {
        let queue = ScriptedJobStore()
        var limits = Limits()
        limits.sweepSeconds = 0.01
        _ = ended()
        let asked = Shared(false)
        objects.bytes.hooks.deleting = { _ async throws(ObjectStoreError) in
            asked.set(true)
            try? await Task.sleep(for: .seconds(3_600))
            throw .unavailable(full: false)
        }
        let sweeper = Sweeper.scripted(
            queue: queue, store: store, retention: retention, objects: objects, marks: marks, signals: signals, limits: limits)
        let running = Task { try await sweeper.run() }

        try await until { asked.now }
        let before = queue.rescues.now
        try await until { queue.rescues.now >= before + 3 }

        running.cancel()
        _ = await running.result
    }

    func ended() -> ObjectKey {
        let (owner, object) = (Owner.someone, UUID())
        store.endedParts.set([(owner, ExportID(UUID()), object)])
        return ObjectKey(kind: .export, owner: owner, object: object)
    }

    @Test("A8: a step that the store does not answer ends, and the round's other steps leave the store alone; those that need none go on")
    func away() async {
        let (zip, requests) = (ended(), Shared(0))
        objects[zip] = [1]
        retention.removed.set([RemovedAudio(owner: .someone, entry: EntryID(UUID()), recording: RecordingObjects(original: UUID()))])
        retention.overdue.set([RemovedAudio(owner: .someone, entry: EntryID(UUID()), recording: RecordingObjects(original: UUID()))])
        objects.bytes.hooks.deleting = { _ async throws(ObjectStoreError) in
            requests.change { $0 += 1 }
            throw .unavailable(full: false)
        }
        var progress = SweepProgress()

        await sweeper.sweep(&progress, settlingAll: true)
        #expect(requests.now == 1 && progress.isStoreDown)
        #expect(store.forgottenParts.now.isEmpty && retention.overdue.now.isEmpty && retention.removed.now.count == 2)

        objects.bytes.hooks.deleting = nil
        await sweeper.sweep(&progress, settlingAll: false)
        #expect(store.forgottenParts.now.count == 1 && retention.removed.now.isEmpty && objects.keys.isEmpty)
    }

    @Test("an ended export's zips, and what its building kept, go, then their rows forget them")
    func parts() async {
        let (owner, export, objects) = (Owner.someone, ExportID(UUID()), [UUID(), UUID()])
        for object in objects { self.objects[ObjectKey(kind: .export, owner: owner, object: object)] = [1] }
        store.endedParts.set(objects.map { (owner, export, $0) })

        await sweeper.sweep()

        #expect(self.objects.keys.isEmpty)
        #expect(store.forgottenParts.now == objects)
    }

    @Test("an ended import's zip goes from where it arrived and from where a worker moved it, then its row forgets it")
    func importedZips() async {
        let (owner, ended, object) = (Owner.someone, ImportID(UUID()), UUID())
        for kind in [ObjectKey.Kind.staging, .imported] { objects[ObjectKey(kind: kind, owner: owner, object: object)] = [1] }
        store.endedImports.set([(owner, ended, object)])

        await sweeper.sweep()

        #expect(objects.keys.isEmpty && store.forgottenImports.now == [ended])
    }

    @Test("old rows are deleted in batches, so many in a round, and the next round continues")
    func bookkeeping() async {
        store.old.set(Sweeper.batches * Sweeper.batch + 1_500)

        #expect(await sweeper.sweepBookkeeping())
        #expect(store.old.now == 1_500)
        #expect(await sweeper.sweepBookkeeping() == false)
        #expect(store.old.now == 0)
    }

    @Test("a kind of old rows that cannot be deleted does not stop the others")
    func eachForItself() async {
        store.isAway.set(true)
        store.old.set(5)
        store.tombstones.set(Sweeper.batches * Sweeper.batch + 1)

        #expect(await sweeper.sweepBookkeeping())
        #expect(store.tombstones.now == 1 && store.grants.now == 1 && store.old.now == 5)
        #expect(await sweeper.sweepBookkeeping() == false)
        #expect(store.tombstones.now == 0)
    }

    @Test("what a round left is deleted in the next round, not an hour later")
    func nextRound() async throws {
        store.old.set(2 * Sweeper.batches * Sweeper.batch + 1)
        var limits = Limits()
        limits.sweepSeconds = 0.01
        let sweeper = Sweeper.scripted(
            store: store, retention: retention, objects: objects, marks: marks, signals: signals, limits: limits)
        let running = Task { try await sweeper.run() }

        for _ in 0..<500 where store.old.now > 0 { try await Task.sleep(for: .milliseconds(10)) }

        running.cancel()
        _ = await running.result
        #expect(store.old.now == 0)
    }

    @Test("I6: objects that no row names are deleted, the others stay")
    func orphans() async {
        let (named, orphan) = (UUID(), UUID())
        store.named.set([named])
        for kind in [ObjectKey.Kind.staging, .audio, .export] {
            objects[ObjectKey(kind: kind, owner: .someone, object: named)] = [1]
            objects[ObjectKey(kind: kind, owner: .someone, object: orphan)] = [1]
        }

        await sweeper.collectOrphans()

        #expect(objects.keys.count == 3)
        #expect(objects.keys.allSatisfy { $0.object == named })
    }

    @Test("I6: the walk over all objects takes as many rounds as it needs, and a kind that cannot be listed does not stop the others")
    func orphansInRounds() async {
        for kind in [ObjectKey.Kind.staging, .audio, .export] { objects[ObjectKey(kind: kind, owner: .someone, object: UUID())] = [1] }
        var sweeper = sweeper
        sweeper.orphanPages = 1
        var progress = SweepProgress()
        progress.orphans.begin()
        var rounds = 0

        while progress.orphans.isUnderWay, rounds < 20 {
            rounds += 1
            progress.isStoreDown = false
            // The first page of recordings.
            store.isOrphanQueryAway.set(rounds == 3)
            await sweeper.collectOrphans(&progress)
        }

        // Each kind is counted and then deleted from; the parts come last.
        #expect(rounds == 7)
        #expect(objects.keys.map(\.kind) == [.audio])
    }

    @Test("A20: orphans of a time that the database has lost stay, others are deleted, and all once the time is released")
    func lostTime() async {
        let orphan = ObjectKey(kind: .audio, owner: .someone, object: UUID())
        objects[orphan] = [1]
        let epoch = Date(timeIntervalSince1970: 0)
        store.kept.set([epoch.addingTimeInterval(-60)...epoch.addingTimeInterval(60)])

        await sweeper.collectOrphans()
        #expect(objects.keys == [orphan])

        store.kept.set([epoch.addingTimeInterval(1)...epoch.addingTimeInterval(60)])
        await sweeper.collectOrphans()
        #expect(objects.keys.isEmpty)
    }

    @Test("A20: each sweep is counted in the database and beside the objects, and a database that is behind continues after the objects")
    func marked() async {
        #expect(await sweeper.noteSweep(isFirst: true))
        #expect(await sweeper.noteSweep(isFirst: false))
        #expect(store.asked.now == [0, 1] && marks.stored.now == 2)

        store.number.set(0)
        #expect(await sweeper.noteSweep(isFirst: false))
        #expect(store.asked.now == [0, 1, 2] && marks.stored.now == 3 && store.number.now == 3)
    }

    @Test("A20: while the number beside the objects cannot be read, no orphan is collected")
    func unread() async throws {
        marks.isAway.set(true)
        objects[ObjectKey(kind: .audio, owner: .someone, object: UUID())] = [1]
        var limits = Limits()
        limits.sweepSeconds = 0.01
        let sweeper = Sweeper.scripted(
            store: store, retention: retention, objects: objects, marks: marks, signals: signals, limits: limits)
        let running = Task { try await sweeper.run() }

        try await until { store.pages.now >= 5 }
        #expect(objects.keys.count == 1)

        marks.isAway.set(false)
        try await until { objects.keys.isEmpty }
        running.cancel()
        _ = await running.result
        #expect(objects.keys.isEmpty)
    }

    @Test("an entry that has waited for more than a day is not looked at in every round")
    func longWaits() async {
        let old = upload(age: 90_000, arrived: 3)
        let recent = upload(age: 60, arrived: 3)

        await sweeper.sweep(settlingAll: false)
        #expect(store.completed.now == [recent.entry])

        await sweeper.sweep()
        #expect(store.completed.now.contains(old.entry))
    }

    @Test("A20: an upload that was verified before an older database was restored is completed again, not failed")
    func verifiedBefore() async {
        let upload = upload(age: 90_000, arrived: nil)
        objects[ObjectKey(kind: .audio, owner: upload.owner, object: upload.object)] = [1, 1, 1]

        await sweeper.sweep()

        #expect(store.completed.now == [upload.entry] && store.abandoned.now.isEmpty)
    }
}
