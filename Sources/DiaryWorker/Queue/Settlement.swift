import DiaryCore
import Logging

/// What is written about a run that did not finish its job.
enum Settlement: Equatable {
    case retry(ProcessingCode, afterSeconds: Double)
    /// No try is counted.
    case wait(ProcessingCode, afterSeconds: Double)
    case discard(ProcessingCode)
    /// No try is counted.
    case enqueueAgain(cost: Double)
    case nothing
}

extension RetryPolicy {
    /// No provider makes a job wait longer than a day.
    private static let longestWait = 86_400.0
    /// The longest wait between two tries during an outage, so that jobs go on within minutes after it.
    private static let longestOutageWait = 300.0
    /// The number of claims after which an outage counts as a failed try, so that a job whose object can never be read ends. 290 of the
    /// longest waits are more than a day.
    static let outageClaims = 300

    /// - Parameters:
    ///   - errors: how many tries failed before this one.
    ///   - attempt: how often the job was claimed, this time included.
    func settle(_ outcome: JobOutcome, errors: Int, attempt: Int = 1) -> Settlement {
        switch outcome {
        case .retry(let code, let after):
            errors + 1 >= maxTries ? .discard(code) : .retry(code, afterSeconds: max(wait(errors: errors), bounded(after)))
        case .retryLater(let code):
            errors + 1 >= maxTries ? .discard(code) : .retry(code, afterSeconds: capSeconds)
        case .wait(let code, let after): .wait(code, afterSeconds: spread(bounded(after)))
        case .outage(let code) where attempt <= Self.outageClaims:
            .wait(code, afterSeconds: spread(min(ceiling(errors: attempt - 1), Self.longestOutageWait)))
        case .outage(let code): settle(.retryLater(code), errors: errors)
        case .discard(let code): .discard(code)
        case .underestimated(let cost): .enqueueAgain(cost: cost)
        case .done, .abandoned, .released: .nothing
        }
    }

    /// Adds up to half of the wait, so that jobs which wait for the same moment do not all return at once.
    private func spread(_ seconds: Double) -> Double { seconds + Double.random(in: 0...max(baseSeconds, min(seconds / 2, capSeconds))) }

    private func wait(errors: Int) -> Double {
        let ceiling = max(0, ceiling(errors: errors))
        return Double.random(in: (jitter == .full ? 0 : ceiling / 2)...ceiling)
    }

    private func bounded(_ seconds: Double?) -> Double {
        guard let seconds, seconds.isFinite else { return 0 }
        return min(max(0, seconds), Self.longestWait)
    }
}

extension ProcessingCode {
    /// The level of the line about a job that ended with this code for good. `error` asks for an operator, so no recording and no recipient
    /// can cause it.
    var discardLevel: Logger.Level {
        switch self {
        case .uploadMissing, .uploadSizeMismatch, .uploadHashMismatch, .uploadExpired, .mediaUnreadable, .mediaUnsupported, .mediaTooLong,
            .mediaLimits, .contentTypeMismatch, .languageUnsupported, .textTooLong, .consentRequired, .budgetExceeded, .gone,
            .addressSuppressed, .zipUnreadable, .zipUnsafe, .zipUnknown, .zipTooLarge:
            .notice
        // Caused by the recording or a slow machine (`speechTimeout`), by the model, or by the recipient or the app's sender address.
        case .speechTimeout, .speechUnreadable, .cleanupRejected, .mailRefused: .warning
        // Waits, which never end a job.
        case .engineBusy, .enginePaused: .warning
        case .speechUnavailable, .engineRefused, .cleanupUnavailable, .storageUnavailable, .databaseUnavailable, .mailUnavailable, .crashed,
            .unexpected:
            .error
        }
    }
}
