import DiaryCore

/// The header of a message, checked: text that is unsafe there is refused, never changed.
struct CheckedMail {
    let from: MailAddress
    let fromName: String
    let to: MailAddress
    let subject: String
    /// The same for every try of one mail, so that receivers can drop a second copy.
    let messageID: String

    /// Fields that every way of sending adds: `Auto-Submitted`, so that no vacation notice answers (RFC 3834), and for mails that can be
    /// ended, how (RFC 2369 and 8058).
    let fields: [(name: String, value: String)]

    /// - Throws: `MailFailure.refused`; its text names the field, not the value.
    init(_ message: OutgoingMessage) throws(MailFailure) {
        guard let from = MailAddress(sender: message.fromAddress) else { throw .refused("sender address") }
        guard let to = MailAddress(message.to) else { throw .refused("recipient address") }
        guard HeaderText.isAllowed(message.fromName) else { throw .refused("sender name") }
        guard HeaderText.isAllowed(message.subject) else { throw .refused("subject") }
        var fields = [(name: "Auto-Submitted", value: "auto-generated")]
        if let link = message.unsubscribe {
            guard Self.isLink(link) else { throw .refused("unsubscribe link") }
            fields += [
                (name: "List-Unsubscribe", value: "<\(link)>"), (name: "List-Unsubscribe-Post", value: "List-Unsubscribe=One-Click"),
            ]
        }
        self.fields = fields
        self.from = from
        fromName = message.fromName
        self.to = to
        subject = message.subject
        messageID = MailMessageBuilder.messageID(message.id, from: from)
    }

    /// One address of the web that can stand between `<` and `>` in one line of at most 998 characters (RFC 5322 section 2.1.1). `http` is
    /// for installations that are tried on their own machine: mail programs offer one click for `https` alone.
    private static func isLink(_ text: String) -> Bool {
        let bytes = text.utf8
        return (text.hasPrefix("https://") || text.hasPrefix("http://")) && bytes.count <= 900
            && bytes.allSatisfy { (0x21...0x7E).contains($0) && !"<>\",\\^`{|}".utf8.contains($0) }
    }
}
