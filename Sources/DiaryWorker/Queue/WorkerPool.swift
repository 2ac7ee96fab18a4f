import DiaryCore
import Logging
import ServiceLifecycle

/// Claims jobs of one queue, never more than it has free slots for.
struct WorkerPool: Sendable {
    let kinds: [JobKind]
    let slots: Int
    let name: String
    let limits: Limits
    let queue: any JobQueue
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
                    // Fewer than asked for: no more are ready.
                    if claimed.count < free { await waiting { await jobSignals.waitForWork(kinds, timeout: limits.pollSeconds) } }
                }
            }
        }
    }

    private var isStopping: Bool { Task.isCancelled || Task.isShuttingDownGracefully }

    /// A graceful stop ends the wait.
    private func waiting(_ wait: @escaping @Sendable () async -> Void) async {
        await cancelWhenGracefulShutdown(wait)
    }

    private func claim(_ free: Int) async -> Result<[LeasedJob], WorkError> {
        let (queue, kinds, name, seconds, held) = (queue, kinds, name, limits.leaseSeconds, held)
        // Unstructured: a claim that is cancelled on its way would leave leases that no process holds, and they count as crashes.
        return await Task {
            do throws(WorkError) {
                let jobs = try await queue.claim(kinds, limit: free, worker: name, leaseSeconds: seconds)
                for job in jobs { held.hold(job) }
                return .success(jobs)
            } catch {
                return .failure(error)
            }
        }.value
    }
}
