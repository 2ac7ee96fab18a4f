package import DiaryCore

/// The work of one kind of job. Registered with the `JobLoop`; everything else about the kind is in its `JobDescriptor`.
package protocol Job: Sendable {
    var kind: JobKind { get }
    /// Does the work and writes its result, which ends the job.
    /// - Returns: the kind of the job that was committed with the result; the runner sends its signal.
    /// - Throws: any error; `JobStop(any:)` says what becomes of the job.
    func work(_ job: LeasedJob) async throws -> JobKind?
}

extension Job {
    package func run(_ job: LeasedJob) async throws(JobStop) -> JobKind? {
        do { return try await work(job) } catch { throw JobStop(any: error) }
    }
}

/// How a job's run ended.
package enum JobOutcome: Sendable, Equatable {
    case done
    /// Try again after the policy's wait, and not before `after` seconds.
    case retry(ProcessingCode, after: Double?)
    /// Try again after the policy's longest wait: an operator must act first.
    case retryLater(ProcessingCode)
    /// Nothing was tried: ready again after this many seconds, no try counted.
    case wait(ProcessingCode, after: Double)
    /// Something that the job needs is down: ready again after growing waits; for about a day no try is counted.
    case outage(ProcessingCode)
    /// No more tries.
    case discard(ProcessingCode)
    /// Another worker has the lease, or the job's subject is gone: nothing is written.
    case abandoned
    /// Claimed as a short job and found to be long: ready again at once with this cost in seconds, for a slot of long jobs. No try counted.
    case underestimated(cost: Double)
    /// Released at a graceful stop, no try counted.
    case released

    /// For the log.
    var verb: String {
        switch self {
        case .done: "done"
        case .retry, .retryLater: "retry"
        case .wait, .outage: "wait"
        case .discard: "discard"
        case .abandoned: "abandoned"
        case .underestimated: "underestimated"
        case .released: "released"
        }
    }

    var code: ProcessingCode? {
        switch self {
        case .retry(let code, _), .retryLater(let code), .wait(let code, _), .outage(let code), .discard(let code): code
        case .done, .abandoned, .underestimated, .released: nil
        }
    }
}

/// How a job says how much of its work is done. Written with the next heartbeat.
package struct JobProgress: Sendable {
    /// A struct, not a closure: for a task-local value of function type Swift 6.3 passes no type metadata when it optimises, and the process
    /// ends with a bad pointer at the first job.
    @TaskLocal static var current = JobProgress { _ in }

    let note: @Sendable (Int?) -> Void

    /// Notes the progress of the job that runs in this task; without one it does nothing.
    /// - Parameter percent: from 0 to 100.
    package static func report(_ percent: Int) { current.note(min(max(percent, 0), 100)) }

    /// The work starts over, so that its progress is unknown.
    static func forget() { current.note(nil) }
}
