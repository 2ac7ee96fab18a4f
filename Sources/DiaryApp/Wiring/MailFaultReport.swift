import DiaryCore
import Logging

/// Logs the failures of one app's mail that an operator must correct.
struct MailFaultReport: Sendable {
    let app: TenantID
    let logger: Logger

    func note(_ failure: MailFailure) {
        guard case .misconfigured(let cause) = failure else { return }
        logger.error("mail waits for an operator", metadata: ["tenant": "\(app)", "cause": "\(cause)"])
    }
}
