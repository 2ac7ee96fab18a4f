/// One message, text and HTML, to one recipient. The id makes it idempotent: same id, same Message-ID, same outbox file.
package struct OutgoingMessage: Sendable {
    package var id: MailID
    package var fromName: String
    package var fromAddress: String
    package var to: String
    package var subject: String
    package var text: String
    package var html: String?
    /// Where one request ends mails of this kind (RFC 8058): an address of this service that takes `POST` without a sign-in. nil for a mail
    /// that was asked for.
    package var unsubscribe: String? = nil

    package init(
        id: MailID, fromName: String, fromAddress: String, to: String, subject: String, text: String, html: String?,
        unsubscribe: String? = nil
    ) {
        self.id = id
        self.fromName = fromName
        self.fromAddress = fromAddress
        self.to = to
        self.subject = subject
        self.text = text
        self.html = html
        self.unsubscribe = unsubscribe
    }
}
