package import DiaryCore

/// What an operator sends to see whether mail arrives.
package struct TestMail: Sendable {
    let app: Tenant

    package init(app: Tenant) { self.app = app }

    package func message(id: MailID, to: String) -> OutgoingMessage {
        let subject = "Test mail from \(app.name)"
        let paragraphs: [MailParagraph] = [
            .words("This is a test mail of the server of \(app.name)."),
            .words("If you can read it, codes and links of \(app.name) arrive at this address, too. Nothing is to be done."),
        ]
        let layout = MailLayout(brand: MailBrand(app))
        return OutgoingMessage(
            id: id, fromName: app.mailFromName, fromAddress: app.mailFromAddress, to: to, subject: subject, text: layout.text(paragraphs),
            html: layout.html(title: subject, paragraphs))
    }
}
