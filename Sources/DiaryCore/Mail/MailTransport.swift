/// One message, text and HTML, to one recipient. The id makes it idempotent: same id, same Message-ID, same outbox file.
package struct OutgoingMessage: Sendable {
    package var id: MailID
    package var fromName: String
    package var fromAddress: String
    package var to: String
    package var subject: String
    package var text: String
    package var html: String?

    package init(id: MailID, fromName: String, fromAddress: String, to: String, subject: String, text: String, html: String?) {
        self.id = id
        self.fromName = fromName
        self.fromAddress = fromAddress
        self.to = to
        self.subject = subject
        self.text = text
        self.html = html
    }
}

package enum MailFailure: Error, Sendable, Equatable {
    /// 4xx, connection refused, disk full: try again.
    case unavailable(String)
    /// 5xx or an address that cannot be written into a header: never.
    case refused(String)
}

package protocol MailTransport: Sendable {
    func send(_ message: OutgoingMessage) async throws(MailFailure)
}
