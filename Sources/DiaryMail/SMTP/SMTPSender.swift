package import CurlTransfer
package import DiaryCore
package import FoundationEssentials

/// Mail through a mail server, one connection per message.
///
/// A 5xx reply to the sender, the recipient or the message is `refused`, and `misconfigured` when its enhanced status code says that
/// the sender may not send (RFC 3463); every other failure is `unavailable`: no connection, no TLS, a bad certificate, a refused login, 4xx. A try without an answer is repeated under the same
/// Message-ID.
package struct SMTPSender: MailTransport {
    private let transfers: CurlTransfers
    private let server: SMTPServer
    private let deadlines: TransferDeadlines
    private let now: @Sendable () -> Date

    /// - Parameter transfers: its hosts must hold `server.allowedHost()`.
    package init(
        transfers: CurlTransfers, server: SMTPServer,
        deadlines: TransferDeadlines = TransferDeadlines(connect: .seconds(10), total: .seconds(120), stall: .seconds(60)),
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.transfers = transfers
        self.server = server
        self.deadlines = deadlines
        self.now = now
    }

    package func send(_ message: OutgoingMessage) async throws(MailFailure) {
        let (mail, bytes) = (try CheckedMail(message), try MailMessageBuilder.bytes(of: message, date: now()))
        let delivery = SMTPDelivery(
            server: server, sender: mail.from.text, recipient: mail.to.text, message: bytes, deadlines: deadlines)
        switch await outcome(of: delivery) {
        case .accepted: return
        case .permanent(let code, let status?) where status.isAboutSender: throw .misconfigured("SMTP \(code) \(status)")
        case .permanent(let code, let status): throw .refused("SMTP \(code)\(status.map { " \($0)" } ?? "")")
        case .temporary(let code?, let error): throw .unavailable("SMTP \(code): \(error)")
        case .temporary(nil, let error): throw .unavailable("SMTP: \(error)")
        }
    }

    /// A mail that did not reach the server, or whose transfer timed out here, is tried again: the mail is not the cause.
    private func outcome(of delivery: SMTPDelivery) async -> SMTPOutcome {
        do throws(TransferError) {
            return try await transfers.deliver(delivery)
        } catch {
            return .temporary(code: nil, error)
        }
    }
}
