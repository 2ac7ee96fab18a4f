import DiaryCore
import Logging

/// Where faults of one app's mail are logged that wait for an operator.
struct MailFaultReport: Sendable {
    let app: TenantID
    let logger: Logger

    func note(_ failure: MailFailure) {
        guard case .misconfigured(let cause) = failure else { return }
        logger.error("mail waits for an operator", metadata: ["tenant": "\(app)", "cause": "\(cause)"])
    }
}
