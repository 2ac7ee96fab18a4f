package import FoundationEssentials

/// What a provider reports of one mail. The address that it names is not read: the mail says where it went.
package struct MailEvent: Sendable, Equatable {
    /// The provider's, the same when it repeats the report.
    package var id: String
    package var mail: MailID
    package var reason: MailBounceReason
    package var at: Date

    package init(id: String, mail: MailID, reason: MailBounceReason, at: Date) {
        self.id = id
        self.mail = mail
        self.reason = reason
        self.at = at
    }
}
