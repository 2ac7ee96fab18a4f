import DiaryCore
import DiaryTesting
import Glibc
import Logging
import ServiceLifecycle
import TestSupport
import Testing

@testable import DiaryWorker

@Suite("The job loop", .timeLimit(.minutes(1)))
struct JobLoopTests {
    static let logger = Logger.quiet

    static var limits: Limits {
        var limits = Limits()
        limits.leaseSeconds = 2
        limits.heartbeatSeconds = 0.02
        limits.pollSeconds = 0.02
        limits.gracefulStopSeconds = 0.2
        return limits
    }

    static func loop(
        _ store: ScriptedJobStore, slots: Int = 2, long: Int = 1, limits: Limits = limits, signals: any JobSignals = PollingOnly(),
        _ jobs: any Job...
    ) throws -> JobLoop {
        try JobLoop(
            queue: store, jobSignals: signals, jobs: jobs, catalogue: .of(jobs.map(\.kind)),
            configuration: WorkerConfiguration(
                name: "test", slots: [.speech: QueueSlots(short: 1), .text: QueueSlots(short: slots, long: long)], limits: limits),
            logger: logger)
    }

    /// Runs the loop beside `body`, then cancels it.
    static func running<Value: Sendable>(_ loop: JobLoop, _ body: @escaping @Sendable () async throws -> Value) async throws -> Value {
        try await withThrowingTaskGroup(of: Value?.self) { group in
            group.addTask {
                try await loop.run()
                return nil
            }
            let value = try await body()
            group.cancelAll()
            return value
        }
    }

    static func group(_ loop: JobLoop) -> ServiceGroup {
        ServiceGroup(configuration: .init(services: [.init(service: loop)], gracefulShutdownSignals: [], logger: logger))
    }

    @Test("A10: a job that waits more often than it may be tried is still there, and is done when it need not wait any more")
    func waits() async throws {
        let job = LeasedJob.make(.mail)
        let store = ScriptedJobStore([job], retriesAtOnce: true)
        let runs = Counter()
        let work = ScriptedJob(kind: .mail) { job async throws(JobStop) in
            #expect(job.errors == 0)
            if runs.next() <= 10 { throw JobStop(ProviderFailure.waiting(code: .enginePaused, after: 1, cause: "open")) }
        }

        let done = try await Self.running(try Self.loop(store, work)) { await eventually { runs.count == 11 } }

        #expect(done)
        let waits = store.written.filter { if case .postponed(job.id, .enginePaused, let seconds) = $0 { seconds >= 1 } else { false } }
        #expect(waits.count == 10 && store.written.count == 10)
    }

    @Test("A8: a store that is away for longer than a job's tries last fails no job")
    func outage() async throws {
        let job = LeasedJob.make(.mail)
        let store = ScriptedJobStore([job], retriesAtOnce: true)
        let runs = Counter()
        let work = ScriptedJob(kind: .mail) { job async throws(JobStop) in
            #expect(job.errors == 0)
            if runs.next() <= 10 { throw JobStop(ObjectStoreError.unavailable(full: false)) }
        }

        let done = try await Self.running(try Self.loop(store, work)) { await eventually { runs.count == 11 } }

        #expect(done)
        let waits = store.written.filter { if case .postponed(job.id, .storageUnavailable, _) = $0 { true } else { false } }
        #expect(waits.count == 10 && store.written.count == 10)
    }

    @Test("what a job says about its progress is renewed with its lease; a job that says nothing has none")
    func progress() async throws {
        let (job, other) = (LeasedJob.make(.mail), LeasedJob.make(.mail))
        let store = ScriptedJobStore([job, other])
        let (seen, ended) = (Shared(false), Counter())
        let work = ScriptedJob(kind: .mail) { running async throws(JobStop) in
            if running.id == job.id { JobProgress.report(130) }
            while !seen.now { await pause(0.005) }
            ended.add()
        }

        let shown = try await Self.running(try Self.loop(store, work)) {
            let shown = await eventually { store.progress(of: job) == 100 && store.renewals(of: other) > 0 }
            seen.set(true)
            return await eventually { ended.count == 2 } && shown
        }

        #expect(shown && store.progress(of: other) == nil)
    }

    @Test("runs every job, and never more of a queue at once than it has slots")
    func slots() async throws {
        let jobs = (0..<20).map { _ in LeasedJob.make(.mail) }
        let store = ScriptedJobStore(jobs)
        let now = Shared((running: 0, most: 0, done: 0))
        let work = ScriptedJob(kind: .mail) { _ async throws(JobStop) in
            now.change {
                $0.running += 1
                $0.most = max($0.most, $0.running)
            }
            await Task.yield()
            now.change {
                $0.running -= 1
                $0.done += 1
            }
        }

        let isDone = try await Self.running(try Self.loop(store, slots: 3, work)) { await eventually { now.now.done == 20 } }

        #expect(isDone)
        #expect(now.now.most <= 3)
        #expect(store.largestClaim <= 3)
    }

    @Test("A3: a job whose lease went to another worker is cancelled, and nothing is written about it")
    func leaseLost() async throws {
        let job = LeasedJob.make(.mail)
        let store = ScriptedJobStore([job])
        let (hasBegun, wasCancelled) = (Shared(false), Shared(false))
        let work = ScriptedJob(kind: .mail) { _ async throws(JobStop) in
            hasBegun.set(true)
            await pause(60)
            wasCancelled.set(Task.isCancelled)
            throw .retry(.mailUnavailable)
        }

        let isCancelled = try await Self.running(try Self.loop(store, work)) { () async throws -> Bool in
            guard await eventually({ hasBegun.now }) else { return false }
            store.takeLease(of: job)
            return await eventually { wasCancelled.now }
        }

        #expect(isCancelled)
        #expect(store.written.isEmpty)
    }

    @Test("heartbeats go on while the work blocks its thread")
    func heartbeats() async throws {
        let job = LeasedJob.make(.mail)
        let store = ScriptedJobStore([job])
        let work = ScriptedJob(kind: .mail) { job async throws(JobStop) in
            // Blocks its thread until the lease has been renewed three times. Only in a process of its own is another thread free then.
            let deadline = ContinuousClock.now + .seconds(5)
            while store.renewals(of: job) < 3, ContinuousClock.now < deadline { usleep(5_000) }
            throw .discard(.mailRefused)
        }

        let isDiscarded = try await Self.running(try Self.loop(store, work)) { await eventually { !store.written.isEmpty } }

        #expect(isDiscarded)
        #expect(store.renewals(of: job) >= 3)
        #expect(store.written == [.discarded(job.id, .mailRefused)])
    }

    @Test("A13: a job that fails every time is discarded after its tries, and others go on")
    func poison() async throws {
        let (poison, other) = (LeasedJob.make(.mail), LeasedJob.make(.clean))
        let store = ScriptedJobStore([poison, other], retriesAtOnce: true)
        let others = Shared(0)
        let failing = ScriptedJob(kind: .mail) { _ async throws(JobStop) in throw .retry(.mailUnavailable) }
        let fine = ScriptedJob(kind: .clean) { _ async throws(JobStop) in others.change { $0 += 1 } }

        let isDiscarded = try await Self.running(try Self.loop(store, failing, fine)) {
            await eventually { store.written.contains(.discarded(poison.id, .mailUnavailable)) && others.now == 1 }
        }

        #expect(isDiscarded)
        #expect(store.written.count == 3)  // two retries, one discard
    }

    @Test("A14: a graceful stop claims nothing more and lets running jobs finish")
    func gracefulStop() async throws {
        var limits = Self.limits
        limits.gracefulStopSeconds = 30
        let store = ScriptedJobStore([.make(.mail), .make(.mail), .make(.mail)])
        let (begun, ended) = (Shared(0), Shared(0))
        let work = ScriptedJob(kind: .mail) { _ async throws(JobStop) in
            begun.change { $0 += 1 }
            // Not before the stop has reached the loop, which takes a moment.
            while !Task.isShuttingDownGracefully { await pause(0.002) }
            ended.change { $0 += 1 }
        }
        let service = Self.group(try Self.loop(store, slots: 2, limits: limits, work))

        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await service.run() }
            #expect(await eventually { begun.now == 2 })
            await service.triggerGracefulShutdown()
            try await group.waitForAll()
        }

        #expect(ended.now == 2)
        #expect(begun.now == 2)
        #expect(store.written.isEmpty)
    }

    @Test("A14: a job that still runs when the stop's time is over is cancelled and released, no try counted")
    func gracefulStopReleases() async throws {
        let job = LeasedJob.make(.transcribe)
        let store = ScriptedJobStore([job])
        let begun = Shared(false)
        let work = ScriptedJob(kind: .transcribe) { _ async throws(JobStop) in
            begun.set(true)
            await pause(60)
            throw .retry(.speechTimeout)
        }
        let service = Self.group(try Self.loop(store, work))

        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await service.run() }
            #expect(await eventually { begun.now })
            await service.triggerGracefulShutdown()
            try await group.waitForAll()
        }

        #expect(store.written == [.released(job.id)])
    }

    @Test("a cancelled loop releases its jobs")
    func cancelled() async throws {
        let job = LeasedJob.make(.mail)
        let store = ScriptedJobStore([job])
        let begun = Shared(false)
        let work = ScriptedJob(kind: .mail) { _ async throws(JobStop) in
            begun.set(true)
            await pause(60)
            throw .retry(.mailUnavailable)
        }

        let hasBegun = try await Self.running(try Self.loop(store, work)) { await eventually { begun.now } }

        #expect(hasBegun)
        #expect(store.written == [.released(job.id)])
    }

    @Test("the signal of the job that a result committed is sent once, by the runner")
    func signalsSuccessor() async throws {
        let store = ScriptedJobStore([.make(.clean), .make(.mail)])
        let signals = SignalLog()
        let ended = Shared(0)
        let clean = ScriptedJob(kind: .clean, next: .mail) { _ async throws(JobStop) in ended.change { $0 += 1 } }
        let mail = ScriptedJob(kind: .mail) { _ async throws(JobStop) in ended.change { $0 += 1 } }

        let isDone = try await Self.running(try Self.loop(store, signals: signals, clean, mail)) {
            await eventually { ended.now == 2 && !signals.kinds.isEmpty }
        }

        #expect(isDone)
        #expect(signals.kinds == [.mail])
    }

    @Test("A5: while Postgres is away nothing crashes, and an outcome waits until it can be written")
    func databaseAway() async throws {
        let job = LeasedJob.make(.mail)
        let store = ScriptedJobStore([job])
        let work = ScriptedJob(kind: .mail) { _ async throws(JobStop) in
            store.setAway(true)
            throw .discard(.mailRefused)
        }

        let isWritten = try await Self.running(try Self.loop(store, work)) { () async throws -> Bool in
            // Claims, heartbeats and the outcome are all refused.
            guard await eventually({ store.refusals > 5 }), store.written.isEmpty else { return false }
            store.setAway(false)
            return await eventually { store.written == [.discarded(job.id, .mailRefused)] }
        }

        #expect(isWritten)
    }
}
