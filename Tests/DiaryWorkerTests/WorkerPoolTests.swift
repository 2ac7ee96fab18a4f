import DiaryCore
import DiaryTesting
import TestSupport
import Testing

@testable import DiaryWorker

@Suite("The slots of a queue", .timeLimit(.minutes(1)))
struct WorkerPoolTests {
    @Test(
        "C6: one account gets half of the slots at most, and long jobs leave one free; a single slot serves all",
        arguments: [(1, 1, 1), (2, 1, 1), (3, 1, 2), (4, 2, 3), (9, 4, 8)])
    func shares(slots: Int, accountMost: Int, longMost: Int) {
        let shares = SlotShares(slots: slots)

        #expect((shares.accountMost, shares.longMost) == (accountMost, longMost))
    }

    @Test(
        "C6: slots for light accounts are kept from others, but for a single slot, which serves all",
        arguments: [(1, 1, 1, 1), (2, 1, 1, 1), (3, 1, 2, 1), (3, 0, 3, 2), (4, 2, 2, 1)])
    func lightSlots(slots: Int, light: Int, heavyMost: Int, longMost: Int) {
        let shares = SlotShares(slots: slots, light: light)

        #expect(shares.heavyMost == heavyMost && shares.longMost == longMost)
    }

    @Test("C6: while long jobs run in all slots but one, a claim asks for short ones only, and gets them")
    func longJobs() async throws {
        let store = ScriptedJobStore((0..<5).map { _ in .make(.mail, cost: 60) } + [.make(.mail, cost: 1)])
        let (long, short, gate) = (Shared(0), Shared(0), Shared(false))
        let work = ScriptedJob(kind: .mail) { job async throws(JobStop) in
            guard job.isLong else { return short.change { $0 += 1 } }
            long.change { $0 += 1 }
            while !gate.now { await pause(0.002) }
        }

        try await JobLoopTests.running(try JobLoopTests.loop(store, slots: 3, work)) {
            #expect(await eventually { short.now == 1 && long.now == 2 })
            #expect(await eventually { store.claims.last?.longMost == 0 })
            store.add(.make(.mail, cost: 2))
            #expect(await eventually { short.now == 2 })
            #expect(long.now == 2)
            gate.set(true)
            #expect(await eventually { long.now == 5 })
        }

        #expect(store.claims.allSatisfy { $0.accountMost == 1 && $0.queue == .text && $0.kinds == [.mail] })
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

    @Test("a queue has more slots after as many quick jobs as it has slots, as many as were quick, until a job takes or runs for longer")
    func quickSlots() {
        let busy = BusySlots(shares: SlotShares(slots: 3, quick: 5), quickWithin: .seconds(3_600))
        let jobs = (0..<4).map { _ in LeasedJob.make(.mail) }
        func end(_ job: LeasedJob, took elapsed: Duration) {
            busy.take(job)
            busy.free(job, took: elapsed)
        }
        for job in jobs.prefix(2) { end(job, took: .seconds(1)) }
        #expect(busy.slots == 3 && busy.vacancy == BusySlots.Vacancy(slots: 3, long: 2, lent: 0))

        end(jobs[2], took: .seconds(1))
        busy.take(jobs[3])
        #expect(busy.slots == 6 && busy.vacancy == BusySlots.Vacancy(slots: 5, long: 2, lent: 0, quick: 3))
        for _ in 0..<9 { end(jobs[0], took: .seconds(1)) }
        #expect(busy.slots == 8 && busy.vacancy == BusySlots.Vacancy(slots: 7, long: 2, lent: 0, quick: 5))

        busy.take(jobs[0])
        busy.free(jobs[0], took: .seconds(1), isDone: false)
        #expect(busy.slots == 3 && busy.vacancy.slots == 2, "what fails at once says nothing of the next jobs")
        for job in jobs.prefix(3) { end(job, took: .seconds(1)) }
        #expect(busy.slots == 6)
        end(jobs[0], took: .seconds(3_601))
        #expect(busy.slots == 3)

        let impatient = BusySlots(shares: SlotShares(slots: 1, quick: 1), quickWithin: .zero)
        impatient.take(jobs[0])
        impatient.free(jobs[0], took: .zero)
        #expect(impatient.slots == 2)
        impatient.take(jobs[1])
        #expect(impatient.slots == 1 && impatient.vacancy.slots == 0, "a job has run for longer than a quick one")
    }

    @Test("a wait for several slots ends when so many are free, not before, and at once when they are")
    func gathering() async {
        let busy = BusySlots(shares: SlotShares(slots: 4))
        let jobs = (0..<4).map { _ in LeasedJob.make(.mail) }
        for job in jobs { busy.take(job) }
        let seen = Shared<Int?>(nil)

        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                await busy.waitUntilRunning(atMost: 2)
                seen.set(busy.count)
            }
            for job in jobs.prefix(2) {
                await Task.yield()
                busy.free(job, took: .zero)
            }
        }
        await busy.waitUntilRunning(atMost: 2)

        #expect(seen.now == 2)
    }

    @Test("jobs whose calls to servers take long lend their slots, those for long jobs too, so that others run meanwhile")
    func lending() async throws {
        let hanging = [LeasedJob.make(.mail, cost: 60), .make(.mail, cost: 1)]
        let others = [LeasedJob.make(.mail, cost: 60), .make(.mail, cost: 1)]
        let store = ScriptedJobStore(hanging)
        let (calling, answered, done) = (Counter(), Shared(false), Shared<Set<JobID>>([]))
        let work = ScriptedJob(kind: .mail) { job async throws(JobStop) in
            if hanging.contains(where: { $0.id == job.id }) {
                QueueSlot.current?.callBegan()
                calling.add()
                while !answered.now, !Task.isCancelled { await pause(0.002) }
                QueueSlot.current?.callEnded()
            }
            done.change { $0.formUnion([job.id]) }
        }

        try await JobLoopTests.running(try JobLoopTests.loop(store, slots: 2, lendSeconds: 0, work)) {
            #expect(await eventually { calling.count == 2 })
            for job in others { store.add(job) }
            #expect(await eventually { done.now == Set(others.map(\.id)) })
            answered.set(true)
            #expect(await eventually { done.now.count == 4 })
        }
    }

    @Test("a slot is lent while a call takes long and not before; its job waits for one again, and no claim takes that")
    func lentSlots() async throws {
        let (far, near) = (LeasedJob.make(.transcribe), LeasedJob.make(.transcribe))
        let patient = BusySlots(shares: SlotShares(slots: 2), lendAfter: .seconds(3_600))
        patient.take(far)
        patient.callBegan(far)
        #expect(patient.vacancy == BusySlots.Vacancy(slots: 1, long: 1, lent: 0))
        patient.callEnded(far)
        await patient.reclaim(far)
        #expect(patient.vacancy == BusySlots.Vacancy(slots: 1, long: 1, lent: 0))

        let busy = BusySlots(shares: SlotShares(slots: 1), lendAfter: .zero)
        busy.take(far)
        #expect(busy.vacancy.slots == 0)
        busy.callBegan(far)
        #expect(busy.vacancy == BusySlots.Vacancy(slots: 1, long: 1, lent: 1))
        busy.take(near)
        busy.callEnded(far)
        #expect(busy.vacancy == BusySlots.Vacancy(slots: 0, long: 1, lent: 1))
        let hasSlot = Shared(false)
        let returning = Task {
            await busy.reclaim(far)
            hasSlot.set(true)
        }
        try await until { busy.vacancy.slots == -1 }
        #expect(!hasSlot.now)
        busy.free(near, took: .zero)
        #expect(busy.vacancy.slots == 0)
        try await until { hasSlot.now }
        #expect(busy.vacancy == BusySlots.Vacancy(slots: 0, long: 1, lent: 0))
        await returning.value
    }

    @Test("after a job that could not call either no slot is lent for a while")
    func pausedLending() {
        let job = LeasedJob.make(.transcribe)
        let busy = BusySlots(shares: SlotShares(slots: 2), lendAfter: .zero, pauseFor: .seconds(3_600))
        busy.pauseLending()
        busy.take(job)
        busy.callBegan(job)
        #expect(busy.vacancy == BusySlots.Vacancy(slots: 2, long: 1, lent: 1), "nothing was lent before")

        busy.pauseLending()

        #expect(busy.vacancy == BusySlots.Vacancy(slots: 1, long: 1, lent: 0))
    }

    @Test("an idle queue is asked once for each signal and each time the wait ends, and no more")
    func idle() async throws {
        let store = ScriptedJobStore([.make(.mail)])
        let signals = SignalsOfAFewWaits(3)
        let work = ScriptedJob(kind: .mail) { _ async throws(JobStop) in }

        try await JobLoopTests.running(try JobLoopTests.loop(store, signals: signals, work)) {
            // At the start, after each of three waits, and when the slot became free.
            #expect(await eventually { store.claims.count >= 4 })
            #expect(await !eventually(within: .milliseconds(300)) { store.claims.count > 5 })
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
