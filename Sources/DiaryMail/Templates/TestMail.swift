package import DiaryCore

/// What an operator sends to see whether mail arrives.
package struct TestMail: Sendable {
    private let appName: String

    package init(appName: String) { self.appName = appName }

    private var paragraphs: [MailParagraph] {
        [
            .words("This is a test mail of the server of \(appName)."),
            .words("If you can read it, codes and links of \(appName) arrive at this address, too. Nothing is to be done."),
        ]
    }

    package func message(id: MailID, fromName: String, fromAddress: String, to: String) -> OutgoingMessage {
        let subject = "Test mail from \(appName)"
        return OutgoingMessage(
            id: id, fromName: fromName, fromAddress: fromAddress, to: to, subject: subject, text: MailLayout.text(paragraphs),
            html: MailLayout.html(title: subject, paragraphs))
    }
}
