/// How a provider's failure is treated (A10): the job retries, fails permanently, or waits for an operator.
package struct ProviderFailure: Error, Sendable, Equatable, CustomStringConvertible {
    package enum Treatment: String, Sendable { case retry, permanent, configuration }

    package var treatment: Treatment
    /// E.g. `media_unreadable`, `speech_timeout`.
    package var code: ProcessingCode
    /// Seconds to wait, as the provider's answer says.
    package var retryAfter: Double?
    /// For the log: constant words and numbers only, never a diary's text.
    package var cause: String
    /// What the call had used before it failed: the parts of a long recording that were heard by then.
    package var use = EngineUse()
    /// False when nothing was asked: a gate refused.
    package var isTry = true
    /// True when the engine's server or program failed, or no worker could use its settings. False when the worker's own machine failed
    /// before or after the call: that says nothing about the engine.
    package var isFromEngine = false
    /// The worker's machine could start no program, which fails every job alike.
    package var isOutage = false
    /// Nothing was asked, and may be at a known time: the job waits, and no try is counted.
    package var isWait: Bool { !isTry && retryAfter != nil && treatment != .permanent }

    package init(_ treatment: Treatment, code: ProcessingCode, retryAfter: Double? = nil, cause: String) {
        self.treatment = treatment
        self.code = code
        self.retryAfter = retryAfter
        self.cause = cause
    }

    /// Nothing was asked, and may be after so many seconds.
    package static func waiting(
        _ treatment: Treatment = .retry, code: ProcessingCode, after seconds: Double, cause: String
    ) -> ProviderFailure {
        var failure = ProviderFailure(treatment, code: code, retryAfter: seconds, cause: cause)
        failure.isTry = false
        return failure
    }

    /// Nothing was asked: the worker's machine could not.
    package static func outage(code: ProcessingCode, cause: String) -> ProviderFailure {
        var failure = ProviderFailure(.retry, code: code, cause: cause)
        (failure.isTry, failure.isOutage) = (false, true)
        return failure
    }

    /// The same, as what came of asking the engine.
    package var fromEngine: ProviderFailure {
        var failure = self
        failure.isFromEngine = true
        return failure
    }

    package var description: String { "\(code.rawValue): \(cause)" }
}
