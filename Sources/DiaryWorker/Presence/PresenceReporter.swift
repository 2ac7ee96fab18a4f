package import DiaryCore
package import Logging
import ServiceLifecycle

/// Reports this worker as alive, and withdraws the report when a graceful stop begins.
///
/// Apart from the heartbeat of leases, which has nothing to write while no job runs.
package struct PresenceReporter: Service {
    let presence: any WorkerPresence
    let worker: WorkerIdentity
    let logger: Logger
    let hears: @Sendable () -> Bool
    let seconds: Double

    /// - Parameter hears: whether the speech server that the worker needs is there.
    package init(
        presence: any WorkerPresence, worker: WorkerIdentity, logger: Logger, hears: @escaping @Sendable () -> Bool = { true },
        every seconds: Double = WorkerIdentity.reportSeconds
    ) {
        self.presence = presence
        self.worker = worker
        self.logger = logger
        self.hears = hears
        self.seconds = seconds
    }

    package func run() async throws {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                await attempt("worker not reported") { () throws(DiaryError) in try await presence.report(worker, hears: hears()) }
                await pause(seconds)
            }
        }
        await attempt("worker not withdrawn") { () throws(DiaryError) in try await presence.withdraw(worker) }
    }

    /// Nothing depends on one report: while the database is unavailable no job runs either.
    private func attempt(_ failure: Logger.Message, _ write: () async throws(DiaryError) -> Void) async {
        do throws(DiaryError) { try await write() } catch {
            if !Task.isCancelled { logger.warning(failure, metadata: ["error": "\(error.cause ?? error.code.rawValue)"]) }
        }
    }
}
