package import DiaryCore

/// How a job's run ended, as a verb.
package enum JobOutcome: Sendable, Equatable {
    case done
    /// Once more: after the policy's wait, and not before `after` seconds.
    case retry(ProcessingCode, after: Double?)
    /// Once more when an operator has had time to act: after the policy's longest wait.
    case retryLater(ProcessingCode)
    /// No more tries.
    case bury(ProcessingCode)
    /// The lease is another worker's, or what the job was about is gone: nothing is written.
    case abandoned
    /// Given back at a graceful stop, no try burnt.
    case released

    /// For the log.
    var verb: String {
        switch self {
        case .done: "done"
        case .retry, .retryLater: "retry"
        case .bury: "bury"
        case .abandoned: "abandoned"
        case .released: "released"
        }
    }

    var code: ProcessingCode? {
        switch self {
        case .retry(let code, _), .retryLater(let code), .bury(let code): code
        case .done, .abandoned, .released: nil
        }
    }
}
