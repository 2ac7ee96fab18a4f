import DiaryCore
import Logging
import ServiceLifecycle

/// Claims jobs of one queue, never more than it has free slots for.
struct WorkerPool: Sendable {
    let queueName: QueueName
    let kinds: [JobKind]
    let shares: SlotShares
    let name: String
    let limits: Limits
    let queue: any JobQueue
    let jobSignals: any JobSignals
    let runner: JobRunner
    let held: HeldJobs
    let logger: Logger

    /// Seconds that a claim with a backlog waits for half of the slots. A claim looks at every account that waits, whatever number of jobs it takes:
    /// with one slot at a time the claims, one after the other, were most of the time of short jobs.
    private static let gatheringSeconds = 0.01

    func run() async {
        let busy = BusySlots()
        var backoff = Backoff(base: 0.25, cap: 5)
        // The last claim filled every free slot, so that more jobs are probably ready.
        var hasBacklog = false
        await withDiscardingTaskGroup { jobs in
            while !isStopping {
                if hasBacklog {
                    await gatherSlots(busy)
                    // A stop ends the wait, too.
                    if isStopping { break }
                }
                let free = slots - busy.count
                guard free > 0 else {
                    await waiting { await busy.waitForChange() }
                    continue
                }
                let charges = busy.takeCharges()
                switch await claim(free, longFree: shares.longMost - busy.long, charges) {
                case .failure(let error):
                    busy.putBack(charges)
                    logger.warning("no jobs claimed", metadata: ["kinds": "\(kinds)", "error": "\(error)"])
                    let wait = backoff.next()
                    await waiting { await pause(wait) }
                case .success(let claimed):
                    backoff.reset()
                    hasBacklog = claimed.count == free
                    for job in claimed {
                        busy.take(job)
                        jobs.addTask {
                            let began = ContinuousClock.now
                            await runner.run(job)
                            busy.free(job, took: began.duration(to: .now))
                        }
                    }
                    // Fewer than asked for: no more are ready, or those that are wait for a slot that may run them.
                    if claimed.count < free { await waiting { await signalOrFreeSlot(busy) } }
                }
            }
        }
    }

    private var slots: Int { shares.slots }

    private var isStopping: Bool { Task.isCancelled || Task.isShuttingDownGracefully }

    /// A graceful stop ends the wait.
    private func waiting(_ wait: @escaping @Sendable () async -> Void) async {
        await cancelWhenGracefulShutdown(wait)
    }

    private func gatherSlots(_ busy: BusySlots) async {
        let most = slots - max(1, slots / 2)
        guard busy.count > most else { return }
        await waiting {
            await withTaskGroup(of: Void.self) { group in
                group.addTask { await busy.waitUntilRunning(atMost: most) }
                group.addTask { await pause(Self.gatheringSeconds) }
                await group.next()
                group.cancelAll()
            }
        }
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

    private func claim(_ free: Int, longFree: Int, _ charges: [QueueCharge]) async -> Result<[LeasedJob], WorkError> {
        let (queue, held) = (queue, held)
        var claim = JobClaim(kinds, of: queueName, limit: free, worker: name, leaseSeconds: limits.leaseSeconds)
        claim.accountMost = shares.accountMost
        claim.longMost = max(0, longFree)
        claim.heavyMost = shares.heavyMost
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
