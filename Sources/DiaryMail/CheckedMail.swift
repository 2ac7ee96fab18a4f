import DiaryCore

/// The header of a message, checked: text that is unsafe there is refused, never changed.
struct CheckedMail {
    let from: MailAddress
    let fromName: String
    let to: MailAddress
    let subject: String
    /// The same for every try of one mail, so that receivers can drop a second copy.
    let messageID: String

    /// Fields of every mail, whichever way it leaves. RFC 3834: no vacation notice answers it.
    static let fields = [(name: "Auto-Submitted", value: "auto-generated")]

    /// - Throws: `MailFailure.refused`; its text names the field, not the value.
    init(_ message: OutgoingMessage) throws(MailFailure) {
        guard let from = MailAddress(sender: message.fromAddress) else { throw .refused("sender address") }
        guard let to = MailAddress(message.to) else { throw .refused("recipient address") }
        guard HeaderText.isAllowed(message.fromName) else { throw .refused("sender name") }
        guard HeaderText.isAllowed(message.subject) else { throw .refused("subject") }
        self.from = from
        fromName = message.fromName
        self.to = to
        subject = message.subject
        messageID = MailMessageBuilder.messageID(message.id, from: from)
    }
}
