package import CurlTransfer
package import DiaryCore
import DiaryCrypto
package import FoundationEssentials
import WireFormats

/// Verifies and reads reports of SendGrid, and those of SES that come by Amazon SNS.
package struct MailFeedbackReader: MailFeedbackReading {
    private let sns: SNSClient
    private let noteUnread: @Sendable (Int) -> Void

    /// - Parameters:
    ///   - transfers: need no hosts; each request names its own.
    ///   - noteUnread: is told how many events of a report could not be read and were left out.
    ///   - sns: in place of the host that a topic's region has.
    package init(transfers: CurlTransfers, sns: MailEndpoint? = nil, noteUnread: @escaping @Sendable (Int) -> Void = { _ in }) {
        self.sns = SNSClient(transfers: transfers, endpoint: sns)
        self.noteUnread = noteUnread
    }

    /// SendGrid signs the timestamp and the body with ECDSA on P-256.
    package func events(_ delivery: SendGridDelivery, key: String, at now: Date) throws(MailFeedbackFailure) -> [MailEvent] {
        guard let key = P256PublicKey(base64: key), delivery.signature.utf8.count <= 200, let signature = Base64.decode(delivery.signature),
            (1...20).contains(delivery.timestamp.utf8.count), let seconds = Double(delivery.timestamp), seconds.isFinite,
            Self.isRecent(Date(timeIntervalSince1970: seconds), now),
            key.isValid(der: signature, for: Array(delivery.timestamp.utf8) + delivery.body)
        else { throw .refused }
        guard let (events, unread) = SendGridEvents.read(delivery.body) else { throw .malformed }
        if unread > 0 { noteUnread(unread) }
        return events
    }

    package func events(sns body: [UInt8], topics: Set<String>, at now: Date) async throws(MailFeedbackFailure) -> [MailEvent] {
        // Topic and time first: nothing is fetched for a message that is refused anyway.
        guard let message = SNSMessage(body), topics.contains(message.topic.arn), Self.isRecent(message.at, now) else { throw .refused }
        guard let certificate = await sns.certificate(message.certificateURL, of: message.topic, at: now) else { throw .unavailable }
        guard certificate.validity.contains(Int64(now.timeIntervalSince1970)),
            certificate.isValid(message.signature, for: message.signedText, message.digest)
        else { throw .refused }
        switch message.kind {
        case .notification:
            guard let events = SESNotification.read(message.message, id: message.id, at: message.at) else { throw .malformed }
            return events
        case .subscription:
            guard let url = message.subscribeURL, await sns.confirm(url, of: message.topic) else { throw .unavailable }
            return []
        // The subscription was ended at AWS. The address in it would begin it again, which is for an operator to decide.
        case .endOfSubscription: return []
        }
    }

    private static func isRecent(_ date: Date, _ now: Date) -> Bool {
        (-longestAge...clockSkew).contains(date.timeIntervalSince(now))
    }
}
