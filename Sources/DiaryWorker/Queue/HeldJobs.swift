import DiaryCore
import Synchronization

/// The leases of this process and the state of each.
final class HeldJobs: Sendable {
    enum Fate {
        case running
        /// Another worker has the lease: nothing of the work is written.
        case lost
        /// Released at the end of the graceful stop.
        case released
    }

    private struct Held {
        var fate = Fate.running
        var cancel: (@Sendable () -> Void)?
        /// Percent of the work.
        var progress: Int?
    }

    private let jobs = Mutex<[LeasedJob: Held]>([:])

    /// Called at the claim, so that the heartbeat covers a job before its work begins. An older attempt at the same job is lost.
    func hold(_ job: LeasedJob) {
        let cancels = jobs.withLock { jobs in
            let older = jobs.keys.filter { $0.id == job.id && $0.attempt < job.attempt }
            jobs[job] = Held()
            return older.compactMap { Self.end($0, as: .lost, in: &jobs) }
        }
        for cancel in cancels { cancel() }
    }

    /// - Parameter cancel: called at once when the lease is already lost or released.
    func attach(_ job: LeasedJob, cancel: @escaping @Sendable () -> Void) {
        let isOver = jobs.withLock { jobs in
            jobs[job]?.cancel = cancel
            return jobs[job].map { $0.fate != .running } ?? true
        }
        if isOver { cancel() }
    }

    /// The jobs whose lease is still renewed.
    var running: [LeasedJob] { jobs.withLock { jobs in jobs.filter { $0.value.fate == .running }.map(\.key) } }

    /// Percents of the jobs that have reported one.
    var progress: [JobID: Int] {
        jobs.withLock { jobs in
            Dictionary(jobs.compactMap { job, held in held.progress.map { (job.id, $0) } }) { first, _ in first }
        }
    }

    func note(_ percent: Int?, of job: LeasedJob) { jobs.withLock { $0[job]?.progress = percent } }

    func fate(of job: LeasedJob) -> Fate { jobs.withLock { $0[job]?.fate ?? .lost } }

    func lose(_ job: LeasedJob) { end([job], as: .lost) }

    /// - Returns: the jobs that were still running.
    func releaseAll() -> [LeasedJob] {
        let rest = running
        end(rest, as: .released)
        return rest
    }

    func release(_ job: LeasedJob) { end([job], as: .released) }

    func drop(_ job: LeasedJob) { jobs.withLock { jobs in _ = jobs.removeValue(forKey: job) } }

    private func end(_ ended: [LeasedJob], as fate: Fate) {
        let cancels = jobs.withLock { jobs in ended.compactMap { Self.end($0, as: fate, in: &jobs) } }
        for cancel in cancels { cancel() }
    }

    private static func end(_ job: LeasedJob, as fate: Fate, in jobs: inout [LeasedJob: Held]) -> (@Sendable () -> Void)? {
        guard jobs[job]?.fate == .running else { return nil }
        jobs[job]?.fate = fate
        return jobs[job]?.cancel
    }
}
