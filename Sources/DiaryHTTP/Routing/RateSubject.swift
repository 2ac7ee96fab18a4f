package import DiaryCore
package import HTTPListener

/// The subject a limit is counted for.
package enum RateSubject: Sendable {
    case client(ClientAddress)
    case user(UserID)
}
