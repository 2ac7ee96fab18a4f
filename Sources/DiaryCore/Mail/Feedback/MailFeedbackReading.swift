package import FoundationEssentials

/// Why a report was not read.
package enum MailFeedbackFailure: Error, Sendable, Equatable {
    /// Not signed by the provider, for another topic, or too old. All look the same to the sender.
    case refused
    /// Signed, and not in the provider's format.
    case malformed
    /// What it is checked with cannot be fetched now.
    case unavailable
}

/// A request of SendGrid's Event Webhook.
package struct SendGridDelivery: Sendable {
    package var body: [UInt8]
    /// Two header fields as they came.
    package var signature: String
    package var timestamp: String

    package init(body: [UInt8], signature: String, timestamp: String) {
        self.body = body
        self.signature = signature
        self.timestamp = timestamp
    }
}

/// Verifies and reads reports of mail providers.
package protocol MailFeedbackReading: Sendable {
    /// - Parameter key: as in ``MailFeedbackTrust/sendGridKey``.
    func events(_ delivery: SendGridDelivery, key: String, at now: Date) throws(MailFeedbackFailure) -> [MailEvent]

    /// A message of Amazon SNS. A subscription to one of the topics is confirmed before this returns.
    func events(sns body: [UInt8], topics: Set<String>, at now: Date) async throws(MailFeedbackFailure) -> [MailEvent]
}

extension MailFeedbackReading {
    /// Seconds. SendGrid repeats a report for a day, SNS for up to an hour by default; the hour more is for clocks.
    package static var longestAge: Double { 25 * 60 * 60 }
    /// Seconds ahead of this machine's clock.
    package static var clockSkew: Double { 5 * 60 }
}
