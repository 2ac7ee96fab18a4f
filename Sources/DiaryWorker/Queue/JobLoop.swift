package import DiaryCore
package import Logging
import ServiceLifecycle

/// Claims jobs and runs them under lease until the service stops. Without Redis it polls; without Postgres it waits.
package struct JobLoop: Service {
    let queue: any JobQueue
    let jobSignals: any JobSignals
    let registry: JobRegistry
    let configuration: WorkerConfiguration
    let logger: Logger

    /// - Parameter jobs: one for each kind of the catalogue.
    /// - Throws: when a kind of the catalogue has no job or no slots.
    package init(
        queue: any JobQueue, jobSignals: any JobSignals, jobs: [any Job], catalogue: JobCatalogue = .diary,
        configuration: WorkerConfiguration, logger: Logger
    ) throws(JobRegistrationError) {
        registry = try JobRegistry(jobs, catalogue: catalogue, configuration: configuration)
        self.queue = queue
        self.jobSignals = jobSignals
        self.configuration = configuration
        self.logger = logger
    }

    package func run() async throws {
        let held = HeldJobs()
        let limits = configuration.limits
        let runner = JobRunner(queue: queue, registry: registry, jobSignals: jobSignals, held: held, logger: logger)
        await withTaskGroup(of: Void.self) { timers in
            timers.addTask { await Heartbeat(queue: queue, held: held, limits: limits, logger: logger).run() }
            timers.addTask { await stop(held) }
            await withTaskGroup(of: Void.self) { workerPools in
                for (name, slots) in configuration.slots {
                    let kinds = registry.kinds(of: name)
                    guard !kinds.isEmpty else { continue }
                    let workerPool = WorkerPool(
                        queueName: name, kinds: kinds,
                        slots: slots, name: configuration.name, limits: limits, queue: queue, jobSignals: jobSignals, runner: runner,
                        held: held, logger: logger)
                    workerPools.addTask { await workerPool.run() }
                }
                await workerPools.waitForAll()
            }
            timers.cancelAll()
        }
    }

    /// The end of a graceful stop: jobs that still run when its time is over are released, no try counted (A14).
    private func stop(_ held: HeldJobs) async {
        guard (try? await gracefulShutdown()) != nil else { return }
        logger.info("no new jobs", metadata: ["running": .stringConvertible(held.running.count)])
        await pause(configuration.limits.gracefulStopSeconds)
        if Task.isCancelled { return }
        let rest = held.releaseAll()
        guard !rest.isEmpty else { return }
        let (queue, logger) = (queue, logger)
        // Unstructured: the end of these jobs cancels this task, and must not cancel their release with it.
        await Task {
            do throws(WorkError) {
                try await queue.release(rest)
                logger.notice("running jobs released", metadata: ["jobs": .stringConvertible(rest.count)])
            } catch {
                // The leases expire without it.
                logger.warning("running jobs not released", metadata: ["jobs": .stringConvertible(rest.count), "error": "\(error)"])
            }
        }.value
    }
}
