package import DiaryCore

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
