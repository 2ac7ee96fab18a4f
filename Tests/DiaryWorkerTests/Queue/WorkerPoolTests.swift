import DiaryCore
import DiaryTesting
import TestSupport
import Testing

@testable import DiaryWorker

@Suite("The slots of a queue", .timeLimit(.minutes(1)))
struct WorkerPoolTests {
    @Test(
        "C6: half of the slots for speech are kept for light accounts, no account has more than half; a third as many are for long recordings",
        arguments: [(1, 1, 1, 0, 1), (2, 2, 1, 1, 1), (3, 3, 1, 1, 1), (6, 6, 2, 3, 3), (16, 16, 5, 8, 8)])
    func speech(slots: Int, short: Int, long: Int, light: Int, account: Int) {
        let made = QueueSlots.speech(slots)

        #expect(made.count(isLong: false) == short && made.count(isLong: true) == long)
        #expect(made.heavy(isLong: false) == short - light && made.heavy(isLong: true) == long)
        #expect(made.account(isLong: false) == account && made.account(isLong: true) == max(1, long / 2))
    }

    @Test("each class has a slot, and a single one is for all accounts", arguments: [0, 1])
    func atLeastOne(short: Int) {
        let made = QueueSlots(short: short, long: 0, light: 1)

        #expect(made == QueueSlots(short: 1, long: 1, light: 0, account: 1) && made.heavy(isLong: false) == 1)
    }

    @Test(
        "C6: short jobs run while all slots for long ones are busy, and the other way round, also with one slot of each",
        arguments: [(1, 1, true), (1, 1, false), (3, 2, true), (3, 2, false)])
    func classes(short: Int, long: Int, stuckIsLong: Bool) async throws {
        let (stuckCost, otherCost) = stuckIsLong ? (60.0, 1.0) : (1.0, 60.0)
        let store = ScriptedJobStore((0..<5).map { _ in .make(.mail, cost: stuckCost) } + [.make(.mail, cost: otherCost)])
        let (stuck, others, gate) = (Counter(), Counter(), Shared(false))
        let work = ScriptedJob(kind: .mail) { job async throws(JobStop) in
            guard job.isLong == stuckIsLong else { return others.add() }
            stuck.add()
            while !gate.now, !Task.isCancelled { await pause(0.002) }
        }

        try await JobLoopTests.running(try JobLoopTests.loop(store, slots: short, long: long, work)) {
            #expect(await eventually { others.count == 1 && stuck.count == (stuckIsLong ? long : short) })
            store.add(.make(.mail, cost: otherCost))
            #expect(await eventually { others.count == 2 })
            #expect(stuck.count == (stuckIsLong ? long : short))
            gate.set(true)
            #expect(await eventually { stuck.count == 5 })
        }

        #expect(store.claims.allSatisfy { $0.limit <= ($0.isLong ? long : short) && $0.queue == .text && $0.kinds == [.mail] })
        #expect(store.claims.allSatisfy { $0.accountMost == 1 })
    }

    @Test("C6: an app whose server hangs keeps half of the short slots at most; jobs of other apps run meanwhile")
    func hangingServer() async throws {
        let (hanging, other) = (Owner.someone, Owner.someone)
        let store = ScriptedJobStore((0..<6).map { _ in .make(.mail, owner: hanging) })
        let (calling, done, answered) = (Counter(), Counter(), Shared(false))
        // Waits no longer for a slot than it looks for one.
        let gate = SlotGate(slots: [.speech: 4]) {}
        let work = ScriptedJob(kind: .mail) { job async throws(JobStop) in
            var engine = EngineSettings(name: "hosted", stage: .speech, kind: .openai, slots: 9)
            engine.app = job.owner.tenant
            let call = EngineCall(owner: job.owner, entry: EntryID(job.subject))
            do throws(ProviderFailure) { try await gate.admit(engine, call) } catch { throw JobStop(error) }
            (job.owner == hanging ? calling : done).add()
            while job.owner == hanging, !answered.now, !Task.isCancelled { await pause(0.002) }
            await gate.ended(engine, call, .notCalled)
        }

        try await JobLoopTests.running(try JobLoopTests.loop(store, slots: 4, work)) {
            #expect(await eventually { calling.count == 2 && store.written.count == 4 })
            for _ in 0..<3 { store.add(.make(.mail, owner: other)) }
            #expect(await eventually { done.count == 3 })
            #expect(calling.count == 2)
            answered.set(true)
        }

        let waits = store.written.count { if case .postponed(_, .engineBusy, _) = $0 { true } else { false } }
        #expect(waits == 4, "the others of the app wait and come back")
    }

    @Test("a slot that becomes free is used at once, without a signal, also when the claim before found nothing for it")
    func freeSlot() async throws {
        var limits = JobLoopTests.limits
        limits.pollSeconds = 60
        let store = ScriptedJobStore((0..<4).map { _ in .make(.mail, cost: 60) })
        let done = Shared(0)
        let work = ScriptedJob(kind: .mail) { _ async throws(JobStop) in done.change { $0 += 1 } }

        let isDone = try await JobLoopTests.running(try JobLoopTests.loop(store, slots: 2, limits: limits, work)) {
            await eventually { done.now == 4 }
        }

        #expect(isDone)
    }

    @Test("an idle queue is asked once for each signal and each time the wait ends, and no more")
    func idle() async throws {
        let store = ScriptedJobStore([.make(.mail)])
        let signals = SignalsOfAFewWaits(3)
        let work = ScriptedJob(kind: .mail) { _ async throws(JobStop) in }

        try await JobLoopTests.running(try JobLoopTests.loop(store, signals: signals, work)) {
            // Each class at the start, after each of three waits, and when the slot became free.
            for isLong in [false, true] {
                #expect(await eventually { store.claims.count { $0.isLong == isLong } >= 4 })
                #expect(await !eventually(within: .milliseconds(300)) { store.claims.count { $0.isLong == isLong } > 5 })
            }
        }
    }

    @Test("the next claim corrects what an ended job was charged, also after a claim that failed")
    func corrections() async throws {
        let job = LeasedJob.make(.mail, cost: 7)
        let store = ScriptedJobStore([job])
        let work = ScriptedJob(kind: .mail) { _ async throws(JobStop) in store.setAway(true) }

        try await JobLoopTests.running(try JobLoopTests.loop(store, work)) {
            #expect(await eventually { store.refusals > 3 })
            store.setAway(false)
            #expect(await eventually { store.claims.contains { !$0.corrections.isEmpty } })
        }

        let corrections = store.claims.flatMap(\.corrections)
        #expect(corrections.count == 1)
        #expect(corrections.allSatisfy { $0.owner == job.owner && (-7_000 ..< -1).contains($0.milliseconds) })
    }
}

/// Ends a few waits at once, and then none.
private final class SignalsOfAFewWaits: JobSignals {
    private let left: Shared<Int>

    init(_ count: Int) { left = Shared(count) }

    func jobCommitted(_ kind: JobKind) {}

    func waitForWork(_ kinds: [JobKind], timeout: Double) async {
        left.change { $0 -= 1 }
        if left.now < 0 { await pause(60) }
    }
}
