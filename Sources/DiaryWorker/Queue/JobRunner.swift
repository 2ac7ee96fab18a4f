import DiaryCore
import Logging

/// One leased job from claim to outcome.
struct JobRunner: Sendable {
    let queue: any JobQueue
    let registry: JobRegistry
    let jobSignals: any JobSignals
    let held: HeldJobs
    let logger: Logger

    func run(_ job: LeasedJob) async {
        let started = ContinuousClock.now
        // Unstructured: a lost lease cancels this one job, which a task group cannot do.
        let work = Task { [held] in
            await JobProgress.$current.withValue(JobProgress { held.note($0, of: job) }) { await perform(job) }
        }
        held.attach(job) { work.cancel() }
        let (outcome, cause) = await withTaskCancellationHandler {
            await work.value
        } onCancel: {
            work.cancel()
        }
        await requeue(job, after: outcome)
        held.drop(job)
        log(job, outcome, cause, since: started)
    }

    private func perform(_ job: LeasedJob) async -> (JobOutcome, cause: String?) {
        guard let entry = registry[job.kind] else { return (.released, nil) }
        let stop: JobStop
        do throws(JobStop) {
            if let next = try await entry.job.run(job) { jobSignals.jobCommitted(next) }
            return (.done, nil)
        } catch {
            stop = error
        }
        return (await write(stop.outcome, of: job, policy: entry.retries), stop.cause)
    }

    /// Writes the outcome. While Postgres is unavailable the lease is kept and the write is tried again, so that the outage does not count
    /// as a crash of the job.
    private func write(_ outcome: JobOutcome, of job: LeasedJob, policy: RetryPolicy) async -> JobOutcome {
        let settlement = policy.settle(outcome, errors: job.errors, attempt: job.attempt)
        var backoff = Backoff()
        while true {
            switch held.fate(of: job) {
            case .lost: return .abandoned
            case .released: return .released
            case .running: if Task.isCancelled { return .released }
            }
            do throws(WorkError) {
                switch settlement {
                case .nothing: return outcome
                case .retry(let code, let seconds):
                    try await queue.retry(job, code: code, afterSeconds: seconds)
                    return outcome
                case .wait(let code, let seconds):
                    try await queue.postpone(job, code: code, afterSeconds: seconds)
                    return outcome
                case .discard(let code):
                    try await queue.discard(job, code: code)
                    return .discard(code)
                case .enqueueAgain(let cost):
                    try await queue.release(job, cost: cost)
                    return outcome
                }
            } catch .leaseLost, .ownerGone {
                return .abandoned
            } catch {
                logger.warning("outcome not written", metadata: ["job": "\(job.id)", "error": "\(error)"])
                await pause(backoff.next())
            }
        }
    }

    /// The task was cancelled without a graceful stop: the job is released, no try counted.
    private func requeue(_ job: LeasedJob, after outcome: JobOutcome) async {
        guard outcome == .released, held.fate(of: job) == .running else { return }
        held.release(job)
        let queue = queue
        // Unstructured: the release must outlive the cancellation that causes it.
        await Task { try? await queue.release([job]) }.value
    }

    private func log(_ job: LeasedJob, _ outcome: JobOutcome, _ cause: String?, since started: ContinuousClock.Instant) {
        let elapsed = started.duration(to: .now).components
        var metadata: Logger.Metadata = [
            "job": "\(job.id)", "kind": "\(job.kind.rawValue)", "tenant": "\(job.owner.tenant)",
            "attempt": .stringConvertible(job.attempt), "outcome": "\(outcome.verb)",
            "duration_ms": .stringConvertible(elapsed.seconds * 1000 + elapsed.attoseconds / 1_000_000_000_000_000),
        ]
        // `entry`, `export` or `mail`: an operator has the id of the thing, not of its job.
        if let subject = JobCatalogue.diary[job.kind]?.subject { metadata[subject.name] = "\(job.subject.lowercaseText)" }
        if let code = outcome.code { metadata["code"] = "\(code.rawValue)" }
        if let cause { metadata["cause"] = "\(cause)" }
        let level: Logger.Level =
            switch outcome {
            case .discard(let code): code.discardLevel
            case .retry, .retryLater, .outage, .abandoned: .warning
            case .done, .released, .underestimated, .wait: .info
            }
        logger.log(level: level, "job ended", metadata: metadata)
    }
}
