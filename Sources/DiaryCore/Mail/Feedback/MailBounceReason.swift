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

    /// Whether a mail is held back because of what is known of its address (decision 0055).
    package func holdsBack(_ kind: MailKind) -> Bool {
        switch self {
        case .softBounce: false
        case .complaint: !kind.isRequestedCode
        case .hardBounce, .block, .invalidAddress: !kind.verifiesAddress
        }
    }
}
