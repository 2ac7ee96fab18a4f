import DiaryCore
import Logging
import ServiceLifecycle

/// Claims jobs of one queue, never more than it has free slots for.
struct WorkerPool: Sendable {
    let queueName: QueueName
    let kinds: [JobKind]
    let shares: SlotShares
    /// After this time a call to a server lends its job's slot to another job.
    let lendSeconds: Double
    let name: String
    let limits: Limits
    let queue: any JobQueue
    let jobSignals: any JobSignals
    let runner: JobRunner
    let held: HeldJobs
    let logger: Logger

    /// Seconds that a claim waits for half of the slots to become free when there is a backlog. A claim reads every waiting account,
    /// however few jobs it takes; claims for one slot each took most of the time of short jobs.
    private static let gatheringSeconds = 0.01

    func run() async {
        let busy = BusySlots(shares: shares, lendAfter: .seconds(lendSeconds))
        var backoff = Backoff(base: 0.25, cap: 5)
        // The last claim filled every free slot, so that more jobs are probably ready.
        var hasBacklog = false
        await withDiscardingTaskGroup { jobs in
            while !isStopping {
                if hasBacklog {
                    await gatherSlots(busy)
                    // The wait also ends at a stop.
                    if isStopping { break }
                }
                let vacancy = busy.vacancy
                guard vacancy.slots > 0 else {
                    await waiting { await freeOrLentSlot(busy) }
                    continue
                }
                let charges = busy.takeCharges()
                switch await claim(vacancy, charges) {
                case .failure(let error):
                    busy.putBack(charges)
                    logger.warning("no jobs claimed", metadata: ["kinds": "\(kinds)", "error": "\(error)"])
                    let wait = backoff.next()
                    await waiting { await pause(wait) }
                case .success(let claimed):
                    backoff.reset()
                    hasBacklog = claimed.count == vacancy.slots
                    for job in claimed {
                        busy.take(job)
                        jobs.addTask {
                            let began = ContinuousClock.now
                            let slot = QueueSlot(job: job, slots: shares.slots, busy: busy)
                            let outcome = await QueueSlot.$current.withValue(slot) { await runner.run(job) }
                            busy.free(job, took: began.duration(to: .now), isDone: outcome == .done)
                        }
                    }
                    // Fewer than asked for: no more jobs are ready, or those that are need another kind of slot.
                    if claimed.count < vacancy.slots { await waiting { await signalOrFreeSlot(busy) } }
                }
            }
        }
    }

    private var isStopping: Bool { Task.isCancelled || Task.isShuttingDownGracefully }

    /// A graceful stop ends the wait.
    private func waiting(_ wait: @escaping @Sendable () async -> Void) async {
        await cancelWhenGracefulShutdown(wait)
    }

    private func gatherSlots(_ busy: BusySlots) async {
        let slots = busy.slots
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

    /// A slot that becomes lendable sends no signal, so this also returns after the poll interval.
    private func freeOrLentSlot(_ busy: BusySlots) async {
        let timeout = limits.pollSeconds
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await busy.waitForChange() }
            group.addTask { await pause(timeout) }
            await group.next()
            group.cancelAll()
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

    private func claim(_ vacancy: BusySlots.Vacancy, _ charges: [QueueCharge]) async -> Result<[LeasedJob], WorkError> {
        let (queue, held) = (queue, held)
        var claim = JobClaim(kinds, of: queueName, limit: vacancy.slots, worker: name, leaseSeconds: limits.leaseSeconds)
        claim.accountMost = shares.accountMost
        claim.longMost = max(0, vacancy.long)
        // The claim counts all jobs that the worker runs.
        claim.heavyMost = shares.heavyMost + vacancy.lent + vacancy.quick
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
