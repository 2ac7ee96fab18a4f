/// How a provider's failure is treated (A10): the job retries, fails permanently, or waits for an operator.
package struct ProviderFailure: Error, Sendable, Equatable, CustomStringConvertible {
    package enum Treatment: String, Sendable { case retry, permanent, configuration }

    package var treatment: Treatment
    /// From the error catalogue, e.g. `media_unreadable`, `speech_timeout`.
    package var code: ProcessingCode
    /// Seconds to wait, as the provider's answer says.
    package var retryAfter: Double?
    /// For the log: constant words and numbers only, never a diary's text.
    package var cause: String

    package init(_ treatment: Treatment, code: ProcessingCode, retryAfter: Double? = nil, cause: String) {
        self.treatment = treatment
        self.code = code
        self.retryAfter = retryAfter
        self.cause = cause
    }

    package var description: String { "\(code.rawValue): \(cause)" }
}
