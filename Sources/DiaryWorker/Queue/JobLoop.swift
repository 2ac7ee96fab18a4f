package import DiaryCore
package import Logging
import ServiceLifecycle

/// Claims jobs and runs them under lease until the service stops. Without Redis it polls; without Postgres it waits.
package struct JobLoop: Service {
    let store: any WorkStore
    let jobSignals: any JobSignals
    let works: [JobKind: any JobWork]
    let configuration: WorkerConfiguration
    let logger: Logger

    /// - Parameter works: one for each kind that a group of the configuration names.
    package init(store: any WorkStore, jobSignals: any JobSignals, works: [any JobWork], configuration: WorkerConfiguration, logger: Logger) {
        self.store = store
        self.jobSignals = jobSignals
        self.works = Dictionary(works.map { ($0.kind, $0) }) { first, _ in first }
        self.configuration = configuration
        self.logger = logger
    }

    package func run() async throws {
        let held = HeldJobs()
        let limits = configuration.limits
        await withTaskGroup(of: Void.self) { timers in
            timers.addTask { await Heartbeat(store: store, held: held, limits: limits, logger: logger).run() }
            timers.addTask { await stop(held) }
            await withTaskGroup(of: Void.self) { workerPools in
                for group in configuration.groups {
                    // A kind that nobody here can do is left to other workers.
                    let kinds = group.kinds.filter { works[$0] != nil }
                    guard !kinds.isEmpty else { continue }
                    let workerPool = WorkerPool(
                        kinds: kinds, slots: group.slots, name: configuration.name, limits: limits, store: store, jobSignals: jobSignals,
                        runner: JobRunner(store: store, works: works, held: held, logger: logger), held: held, logger: logger)
                    workerPools.addTask { await workerPool.run() }
                }
                await workerPools.waitForAll()
            }
            timers.cancelAll()
        }
    }

    /// The end of a graceful stop: what still runs when its time is over is given back, so that no try is burnt (A14).
    private func stop(_ held: HeldJobs) async {
        guard (try? await gracefulShutdown()) != nil else { return }
        logger.info("no new jobs", metadata: ["running": "\(held.running.count)"])
        await pause(configuration.limits.gracefulStopSeconds)
        if Task.isCancelled { return }
        let rest = held.releaseAll()
        guard !rest.isEmpty else { return }
        let (store, logger) = (store, logger)
        // Unstructured: the end of these very jobs cancels this task, and the giving back must not be cancelled with it.
        await Task {
            do throws(WorkError) {
                try await store.release(rest)
                logger.notice("running jobs given back", metadata: ["jobs": "\(rest.count)"])
            } catch {
                // The leases run out by themselves.
                logger.warning("running jobs not given back", metadata: ["jobs": "\(rest.count)", "error": "\(error)"])
            }
        }.value
    }
}
