/// Why a mail was not taken. Reasons are logged: constants, numbers and what an operator has named, no part of
/// the mail or of an answer.
package enum MailFailure: Error, Sendable, Equatable {
    /// SMTP's 4xx, HTTP's 429 and 5xx, no connection, a full disk: try again, and not before `after` seconds when the service names a time.
    case unavailable(String, after: Double? = nil)
    /// An operator must act: a key that is refused, a sender that is not verified, a secret that is not set. Tried again like `unavailable`.
    case misconfigured(String)
    /// SMTP's 5xx, HTTP's 400 and 413, an address that cannot be written into a header: never.
    case refused(String)
}

extension MailFailure: CustomStringConvertible {
    package var description: String {
        switch self {
        case .unavailable(let reason, _), .misconfigured(let reason), .refused(let reason): reason
        }
    }
}
