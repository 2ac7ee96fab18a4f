import DiaryCore
import Logging

/// Renews every held lease, in a task apart from the work (decision D2). A job whose lease is gone is cancelled.
struct Heartbeat: Sendable {
    let queue: any JobQueue
    let held: HeldJobs
    let limits: Limits
    let logger: Logger

    func run() async {
        var backoff = Backoff(base: min(0.25, limits.heartbeatSeconds), cap: limits.heartbeatSeconds)
        var wait = limits.heartbeatSeconds
        while true {
            await pause(wait)
            if Task.isCancelled { return }
            do throws(WorkError) {
                try await beat()
                backoff.reset()
                wait = limits.heartbeatSeconds
            } catch {
                logger.warning("leases not renewed", metadata: ["error": "\(error)"])
                wait = backoff.next()
            }
        }
    }

    private func beat() async throws(WorkError) {
        let jobs = held.running
        guard !jobs.isEmpty else { return }
        let kept = try await queue.renew(jobs, progress: held.progress, leaseSeconds: limits.leaseSeconds)
        for job in jobs where !kept.contains(job.id) {
            // The job may also have been finished meanwhile; then there is nothing left to cancel.
            held.lose(job)
        }
    }
}
