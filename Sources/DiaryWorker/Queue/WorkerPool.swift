import DiaryCore
import Logging
import ServiceLifecycle

/// Claims jobs of one queue, never more than it has free slots for.
struct WorkerPool: Sendable {
    let queueName: QueueName
    let kinds: [JobKind]
    let slots: QueueSlots
    let name: String
    let limits: Limits
    let queue: any JobQueue
    let jobSignals: any JobSignals
    let runner: JobRunner
    let held: HeldJobs
    let logger: Logger

    /// Seconds in which more slots become free while there is a backlog: a claim reads the waiting accounts, however few jobs it takes.
    private static let gatheringSeconds = 0.005

    /// What a round of claims found.
    private struct Round {
        /// A class took as many jobs as it had free slots, so that more are probably ready.
        var hasBacklog = false
        /// A class has free slots.
        var hasRoom = false
        var error: WorkError?
    }

    func run() async {
        let busy = BusySlots()
        var backoff = Backoff(base: 0.25, cap: 5)
        await withDiscardingTaskGroup { jobs in
            while !isStopping {
                let round = await claim(busy) { job in
                    jobs.addTask {
                        let began = ContinuousClock.now
                        _ = await runner.run(job)
                        busy.free(job, took: began.duration(to: .now))
                    }
                }
                if let error = round.error {
                    logger.warning("no jobs claimed", metadata: ["kinds": "\(kinds)", "error": "\(error)"])
                    let wait = backoff.next()
                    await waiting { await pause(wait) }
                    continue
                }
                backoff.reset()
                if round.hasRoom {
                    await waiting { await signalOrFreeSlot(busy) }
                } else {
                    await waiting { await busy.waitForChange() }
                }
                if round.hasBacklog { await waiting { await pause(Self.gatheringSeconds) } }
            }
        }
    }

    private var isStopping: Bool { Task.isCancelled || Task.isShuttingDownGracefully }

    /// A graceful stop ends the wait.
    private func waiting(_ wait: @escaping @Sendable () async -> Void) async {
        await cancelWhenGracefulShutdown(wait)
    }

    private func signalOrFreeSlot(_ busy: BusySlots) async {
        let (jobSignals, kinds, timeout) = (jobSignals, kinds, limits.pollSeconds)
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await jobSignals.waitForWork(kinds, timeout: timeout) }
            group.addTask { await busy.waitForChange() }
            await group.next()
            group.cancelAll()
        }
    }

    private func claim(_ busy: BusySlots, _ begin: (LeasedJob) -> Void) async -> Round {
        var round = Round()
        for isLong in [false, true] where !isStopping {
            let free = slots.count(isLong: isLong) - busy.count(isLong: isLong)
            guard free > 0 else { continue }
            let charges = busy.takeCharges(isLong: isLong)
            switch await claim(free, isLong: isLong, charges) {
            case .failure(let error):
                busy.putBack(charges)
                round.error = error
                return round
            case .success(let claimed):
                if claimed.count < free { round.hasRoom = true } else { round.hasBacklog = true }
                for job in claimed {
                    busy.take(job)
                    begin(job)
                }
            }
        }
        return round
    }

    private func claim(_ most: Int, isLong: Bool, _ charges: [QueueCharge]) async -> Result<[LeasedJob], WorkError> {
        let (queue, held) = (queue, held)
        var claim = JobClaim(kinds, of: queueName, limit: most, worker: name, leaseSeconds: limits.leaseSeconds)
        claim.isLong = isLong
        claim.accountMost = slots.account(isLong: isLong)
        claim.heavyMost = slots.heavy(isLong: isLong)
        claim.corrections = charges
        let wanted = claim
        // Unstructured: a claim that is cancelled on its way would leave leases that no process holds, and they count as crashes.
        return await Task {
            do throws(WorkError) {
                let jobs = try await queue.claim(wanted)
                for job in jobs { held.hold(job) }
                return .success(jobs)
            } catch {
                return .failure(error)
            }
        }.value
    }
}
