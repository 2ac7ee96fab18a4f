package import FoundationEssentials

/// Reports of providers, with the hashes that make each count once.
package struct HashedMailEvents: Sendable {
    package var events: [(hash: [UInt8], event: MailEvent)]
    package var provider: MailProvider
    /// nil: of every app, from the installation's provider.
    package var app: TenantID?
    package var requestID: String?
}

/// Applies reports of mail providers, by the database role `diary_auth`.
package protocol MailEventStore: Sendable {
    /// Reports of mails that are not known (any more), of another app, or that were handled before, change nothing.
    /// - Returns: how many changed something.
    func note(_ events: HashedMailEvents) async throws(DiaryError) -> Int
}

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

/// Why an address takes no mail, or may not. Stored; raw values never change.
package enum MailBounceReason: String, Sendable, CaseIterable {
    /// Its server refused it for good.
    case hardBounce = "hard_bounce"
    /// Its server refused the mail, maybe because of the sender.
    case block
    /// No mail can be sent there.
    case invalidAddress = "invalid_address"
    /// Its owner called a mail unwanted.
    case complaint
    /// It may pass: a full mailbox, a server that is busy.
    case softBounce = "soft_bounce"

    /// Whether a mail is held back because of what is known of its address (decision 0049).
    package func holdsBack(_ kind: MailKind) -> Bool {
        switch self {
        case .softBounce: false
        case .complaint: !kind.isRequestedCode
        case .hardBounce, .block, .invalidAddress: !kind.verifiesAddress
        }
    }
}
