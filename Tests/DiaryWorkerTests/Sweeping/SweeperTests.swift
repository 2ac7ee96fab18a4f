import DiaryCore
import DiaryCrypto
import DiaryTesting
import Foundation
import Logging
import Synchronization
import TestSupport
import Testing

@testable import DiaryWorker

@Suite("The sweeper")
struct SweeperTests {
    let store = ScriptedSweepStore()
    let objects = MemoryObjects()
    let marks = MemoryMarks()
    let signals = SignalLog()

    let sweeper: Sweeper

    init() throws {
        sweeper = Sweeper(queue: ScriptedJobStore(), marks: marks, registered: try .of(store, objects.store, signals: signals))
    }

    /// One whose rounds follow each other at once.
    private func hasty(queue: ScriptedJobStore = ScriptedJobStore()) throws -> Sweeper {
        var limits = Limits()
        limits.sweepSeconds = 0.01
        return Sweeper(queue: queue, marks: marks, registered: try .of(store, objects.store, signals: signals, limits: limits))
    }

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
        for _ in 0..<DiarySweeps.batch { _ = upload(age: 90_000, arrived: nil) }
        let arrived = upload(age: 60, arrived: 3)

        await sweeper.sweep()

        #expect(store.completed.now == [arrived.entry])
        #expect(store.abandoned.now.count == DiarySweeps.batch)
        // The recent ones, then two pages of all.
        #expect(store.pages.now == 3)

        store.stuck.set(Array(store.waiting.now.prefix(DiarySweeps.batch)))
        store.pages.set(0)
        await sweeper.sweep()
        #expect(store.pages.now == 4)
    }

    func staged(_ upload: AwaitingUpload) -> ObjectKey { ObjectKey(kind: .staging, owner: upload.owner, object: upload.object) }

    @Test("entries that wait for their recordings are looked for a thousand at a time")
    func waiting() async {
        for _ in 0..<3 * DiarySweeps.batch { _ = upload(age: 3_600, arrived: nil) }
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
        for _ in 0..<(DiarySweeps.uploadPages * DiarySweeps.batch) { _ = upload(age: 3_600, arrived: nil) }
        let last = upload(age: 60, arrived: 3)

        await sweeper.sweep(settlingAll: false)
        #expect(store.pages.now == DiarySweeps.uploadPages && store.completed.now.isEmpty)
        for _ in 0..<2 { await sweeper.goOn() }

        #expect(store.pages.now == DiarySweeps.uploadPages + 1 && store.completed.now == [last.entry])
    }

    @Test("A8: leases are rescued while a request to the object store is not answered", .timeLimit(.minutes(1)))
    func leases() async throws {
        let queue = ScriptedJobStore()
        _ = ended()
        let asked = Shared(false)
        objects.bytes.hooks.deleting = { _ async throws(ObjectStoreError) in
            asked.set(true)
            try? await Task.sleep(for: .seconds(3_600))
            throw .unavailable(full: false)
        }
        let sweeper = try hasty(queue: queue)
        let running = Task { try await sweeper.run() }

        try await until { asked.now }
        let before = queue.rescues.now
        try await until { queue.rescues.now >= before + 3 }

        running.cancel()
        _ = await running.result
    }

    /// An export's zip.
    func ended() -> ObjectKey {
        let zip = EndedObject.someones()
        store.ended.set([.exportParts: [zip]])
        return zip.keys[0]
    }

    @Test("A8: a sweep that the store does not answer ends, and the round's others leave the store alone; those that need none go on")
    func away() async {
        let (zip, requests, old) = (ended(), Shared(0), EndedObject.someones())
        objects[zip] = [1]
        store.ended.change { $0[.removedAudio] = [EndedObject.someones()] }
        store.overdue.set([old])
        objects.bytes.hooks.deleting = { _ async throws(ObjectStoreError) in
            requests.change { $0 += 1 }
            throw .unavailable(full: false)
        }

        await sweeper.sweep()
        #expect(requests.now == 1)
        #expect(store.forgotten.now.isEmpty && store.overdue.now.isEmpty && store.ended.now[.removedAudio]?.count == 2)

        objects.bytes.hooks.deleting = nil
        await sweeper.sweep(settlingAll: false)
        #expect(store.forgotten.now.count == 3 && store.ended.now[.removedAudio] == [] && objects.keys.isEmpty)
    }

    @Test(
        "the objects of ended rows go, then their rows forget them; a row names an object that the store keeps until a later round",
        arguments: EndedObjects.allCases)
    func endedRows(kind: EndedObjects) async {
        let ended = (0..<3).map { _ in EndedObject.someones(at: [.staging, .audio]) }
        for key in ended.flatMap(\.keys) { objects[key] = [1] }
        store.ended.set([kind: ended])
        objects.bytes.hooks.undeletable = [ended[1].keys[1]]

        await sweeper.sweep(settlingAll: false)

        #expect(objects.keys == [ended[1].keys[1]])
        #expect(store.forgotten.now == [ended[0], ended[2]] && store.ended.now[kind] == [ended[1]])

        objects.bytes.hooks.undeletable = []
        await sweeper.sweep(settlingAll: false)
        #expect(objects.keys.isEmpty && store.ended.now[kind] == [])
    }

    @Test(
        "old rows are deleted in batches, so many in a round, and the next round continues, not the next hour",
        arguments: RowSweep.allCases)
    func oldRows(rows: RowSweep) async {
        store.old.set([rows: DiarySweeps.rowBatches * DiarySweeps.batch + 1_500])

        await sweeper.sweep(beginning: [.hour, .round], isCompared: true)
        #expect(store.old.now[rows] == 1_500)
        await sweeper.goOn()
        #expect(store.old.now[rows] == 0)
    }

    @Test("old rows that cannot be deleted do not stop the others, and are tried again an hour later")
    func eachForItself() async {
        store.awayRows.set(.jobs)
        store.old.set([.jobs: 5, .tombstones: DiarySweeps.rowBatches * DiarySweeps.batch + 1])

        await sweeper.sweep(beginning: [.hour], isCompared: true)
        #expect(store.old.now[.jobs] == 5 && store.old.now[.tombstones] == 1)
        store.awayRows.set(nil)
        await sweeper.goOn()
        #expect(store.old.now[.tombstones] == 0 && store.old.now[.jobs] == 5)
        await sweeper.sweepHourly()
        #expect(store.old.now[.jobs] == 0)
    }

    @Test("the loop continues what a round left in the next one")
    func nextRound() async throws {
        store.old.set([.jobs: 2 * DiarySweeps.rowBatches * DiarySweeps.batch + 1])
        let sweeper = try hasty()
        let running = Task { try await sweeper.run() }

        try await until { store.old.now[.jobs] == 0 }

        running.cancel()
        _ = await running.result
    }

    @Test("unconfirmed sign-ups become deletions, each with its own receipt and subject; one that cannot be ended does not stop the others")
    func signUps() async throws {
        let serviceKeys = ServiceKeys(secret: .random(32))
        let sweeper = Sweeper(
            queue: ScriptedJobStore(), marks: marks, registered: try .of(store, objects.store, serviceKeys: serviceKeys))
        let owners = (0..<6).map { _ in Owner.someone }
        store.signUps.set(owners.enumerated().map { AgedSignUp(owner: $1, createdAt: .now, isAbandoned: $0 != 2) })
        store.goneOwners.set([owners[0]])
        store.awayOwners.set([owners[3]])

        await sweeper.sweep(beginning: [.hour], isCompared: true)
        #expect(store.asked.now.map(\.owner) == [owners[1]])
        // While the database is away the page ends; what fails is not in the way of what comes after it.
        await sweeper.goOn()
        #expect(store.asked.now.map(\.owner) == [owners[1], owners[4], owners[5]])

        for (owner, deletion) in store.asked.now { #expect(try serviceKeys.subject(deletion.subjectSealed, of: deletion.id) == owner) }
        #expect(Set(store.asked.now.map(\.deletion.receiptHash)).count == 3)
    }

    @Test("I6: objects that no row names are deleted, the others stay")
    func orphans() async {
        let (named, orphan) = (UUID(), UUID())
        store.named.set([named])
        for kind in [ObjectKey.Kind.staging, .audio, .export] {
            objects[ObjectKey(kind: kind, owner: .someone, object: named)] = [1]
            objects[ObjectKey(kind: kind, owner: .someone, object: orphan)] = [1]
        }

        await sweeper.sweepHourly()

        #expect(objects.keys.count == 3)
        #expect(objects.keys.allSatisfy { $0.object == named })
    }

    @Test("I6: the walk over a kind takes as many rounds as it needs, and one that cannot be looked through does not stop the others")
    func orphansInRounds() async {
        for kind in [ObjectKey.Kind.staging, .audio, .export] { objects[ObjectKey(kind: kind, owner: .someone, object: UUID())] = [1] }
        var sweeper = sweeper
        for index in sweeper.sweeps.indices { sweeper.sweeps[index].batches = 1 }
        store.awayKind.set(.audio)

        // Each kind is counted and then deleted from.
        await sweeper.sweep(beginning: [.hour], isCompared: true)
        #expect(objects.keys.count == 3)
        await sweeper.goOn()
        #expect(objects.keys.map(\.kind) == [.audio])

        store.awayKind.set(nil)
        await sweeper.goOn()
        #expect(objects.keys.count == 1, "it is tried again an hour later")
        await sweeper.sweepHourly()
        #expect(objects.keys.isEmpty)
    }

    @Test("A20: orphans of a time that the database has lost stay, others are deleted, and all once the time is released")
    func lostTime() async {
        let orphan = ObjectKey(kind: .audio, owner: .someone, object: UUID())
        objects[orphan] = [1]
        let epoch = Date(timeIntervalSince1970: 0)
        store.kept.set([epoch.addingTimeInterval(-60)...epoch.addingTimeInterval(60)])

        await sweeper.sweepHourly()
        #expect(objects.keys == [orphan])

        store.kept.set([epoch.addingTimeInterval(1)...epoch.addingTimeInterval(60)])
        await sweeper.sweepHourly()
        #expect(objects.keys.isEmpty)
    }

    @Test("A20: each sweep is counted in the database and beside the objects, and a database that is behind continues after the objects")
    func marked() async {
        #expect(await sweeper.noteSweep(isFirst: true))
        #expect(await sweeper.noteSweep(isFirst: false))
        #expect(store.noted.now == [0, 1] && marks.stored.now == 2)

        store.number.set(0)
        #expect(await sweeper.noteSweep(isFirst: false))
        #expect(store.noted.now == [0, 1, 2] && marks.stored.now == 3 && store.number.now == 3)
    }

    @Test("A20: while the number beside the objects cannot be read, no orphan is collected")
    func unread() async throws {
        marks.isAway.set(true)
        objects[ObjectKey(kind: .audio, owner: .someone, object: UUID())] = [1]
        let sweeper = try hasty()
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
