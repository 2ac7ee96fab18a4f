package import DiaryCore

/// How a job's run ended.
package enum JobOutcome: Sendable, Equatable {
    case done
    /// Try again after the policy's wait, and not before `after` seconds.
    case retry(ProcessingCode, after: Double?)
    /// Try again after the policy's longest wait: an operator must act first.
    case retryLater(ProcessingCode)
    /// Nothing was tried: ready again after so many seconds, no try counted.
    case wait(ProcessingCode, after: Double)
    /// What the job needs is away: ready again after waits that grow, no try counted for about a day.
    case outage(ProcessingCode)
    /// No more tries.
    case discard(ProcessingCode)
    /// Another worker has the lease, or the job's subject is gone: nothing is written.
    case abandoned
    /// It will take so many seconds, where it was claimed as a short job: ready again at once, for a slot of long ones. No try counted.
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
