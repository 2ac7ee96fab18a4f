package import CurlTransfer
package import DiaryCore
package import FoundationEssentials
import Synchronization

/// Mail through a mail server, one connection per message.
///
/// A 5xx reply to the recipient or the message is `refused`. One to the sender is `misconfigured`, and so is one that says that the sender may not
/// send, or that comes for recipient after recipient; every other failure is `unavailable`: no connection, no TLS, a bad certificate, a refused login, 4xx. A try without an answer is repeated under the same
/// Message-ID.
package struct SMTPSender: MailTransport {
    private let transfers: CurlTransfers
    private let server: SMTPServer
    private let deadlines: TransferDeadlines
    private let now: @Sendable () -> Date
    /// Recipients that were refused since one was taken, by the reply.
    private let refusals = SharedRefusals()

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
        case .accepted: refusals.state.withLock { $0 = [:] }
        case .aboutClient(let code, let status): throw .misconfigured(Self.text(code, status))
        case .permanent(let code, let status):
            let reply = Self.text(code, status)
            let recipients = refusals.state.withLock { refusals in
                if refusals.count > 100 { refusals = [:] }
                refusals[reply, default: []].insert(mail.to.normalised.hashValue)
                return refusals[reply]?.count ?? 0
            }
            // By 5.7.1, and by a reply without a status, servers refuse a recipient, and all of them.
            if status?.isUnauthorized != false, recipients > Self.mostRefused { throw .misconfigured(reply) }
            throw .refused(reply)
        case .temporary(let code?, let error): throw .unavailable("SMTP \(code): \(error)")
        case .temporary(nil, let error): throw .unavailable("SMTP: \(error)")
        }
    }

    /// Recipients in a row that may be refused by the same reply.
    private static let mostRefused = 5

    private static func text(_ code: Int, _ status: EnhancedStatus?) -> String { "SMTP \(code)\(status.map { " \($0)" } ?? "")" }

    /// A mail that did not reach the server, or whose transfer timed out here, is tried again: the mail is not the cause.
    private func outcome(of delivery: SMTPDelivery) async -> SMTPOutcome {
        do throws(TransferError) {
            return try await transfers.deliver(delivery)
        } catch {
            return .temporary(code: nil, error)
        }
    }
}

private final class SharedRefusals: Sendable {
    let state = Mutex<[String: Set<Int>]>([:])
}
