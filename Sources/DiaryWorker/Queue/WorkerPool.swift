import DiaryCore
import Logging
import ServiceLifecycle

/// Claims for one group of kinds, never more than it has free slots for.
struct WorkerPool: Sendable {
    let kinds: [JobKind]
    let slots: Int
    let name: String
    let limits: Limits
    let store: any WorkStore
    let jobSignals: any JobSignals
    let runner: JobRunner
    let held: HeldJobs
    let logger: Logger

    func run() async {
        let busy = BusySlots()
        var backoff = Backoff(base: 0.25, cap: 5)
        await withDiscardingTaskGroup { jobs in
            while !isStopping {
                let free = slots - busy.count
                guard free > 0 else {
                    await waiting { await busy.waitForChange() }
                    continue
                }
                switch await claim(free) {
                case .failure(let error):
                    logger.warning("no jobs claimed", metadata: ["kinds": "\(kinds)", "error": "\(error)"])
                    let wait = backoff.next()
                    await waiting { await pause(wait) }
                case .success(let claimed):
                    backoff.reset()
                    for job in claimed {
                        busy.take()
                        jobs.addTask {
                            await runner.run(job)
                            busy.free()
                        }
                    }
                    // Fewer than asked for: the queue is empty now.
                    if claimed.count < free { await waiting { await jobSignals.waitForWork(kinds, timeout: limits.pollSeconds) } }
                }
            }
        }
    }

    private var isStopping: Bool { Task.isCancelled || Task.isShuttingDownGracefully }

    /// A wait that a stop ends.
    private func waiting(_ wait: @escaping @Sendable () async -> Void) async {
        await cancelWhenGracefulShutdown(wait)
    }

    private func claim(_ free: Int) async -> Result<[LeasedJob], WorkError> {
        let (store, kinds, name, seconds, held) = (store, kinds, name, limits.leaseSeconds, held)
        // Unstructured: a claim that is cancelled on its way would leave leases that nobody knows of, and count as crashes.
        return await Task {
            do throws(WorkError) {
                let jobs = try await store.claim(kinds, limit: free, worker: name, leaseSeconds: seconds)
                for job in jobs { held.hold(job) }
                return .success(jobs)
            } catch {
                return .failure(error)
            }
        }.value
    }
}
