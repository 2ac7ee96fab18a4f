package import DiaryCore
import FoundationEssentials
package import Logging
import ServiceLifecycle

/// Makes the exports of schedules that are due. Every worker runs it; each period is made by one of them (decision 0053).
package struct ExportScheduler: Service {
    let runner: RunDueSchedules
    let limits: Limits
    let logger: Logger

    package init(runner: RunDueSchedules, limits: Limits, logger: Logger) {
        self.runner = runner
        self.limits = limits
        self.logger = logger
    }

    package func run() async throws {
        while !isStopping {
            await round()
            let wait = limits.sweepSeconds * Double.random(in: 0.75...1.25)
            await cancelWhenGracefulShutdown { await pause(wait) }
        }
    }

    func round() async {
        do throws(WorkError) {
            let report = try await runner.run(
                isStopping: { Task.isCancelled || Task.isShuttingDownGracefully }
            ) { schedule, outcome in
                guard outcome == .failed else { return }
                logger.warning(
                    "run of a schedule failed", metadata: ["schedule": "\(schedule.id)", "tenant": "\(schedule.owner.tenant)"])
            }
            guard let made = report[.made] else { return }
            logger.info("exports of schedules made", metadata: ["exports": .stringConvertible(made)])
        } catch {
            guard !isStopping else { return }
            logger.warning("schedules not run", metadata: ["error": "\(JobStop(any: error).cause ?? "work store")"])
        }
    }

    private var isStopping: Bool { Task.isCancelled || Task.isShuttingDownGracefully }
}
