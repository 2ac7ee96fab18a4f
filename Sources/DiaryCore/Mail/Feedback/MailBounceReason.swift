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
        case .complaint: !kind.isAskedCode
        case .hardBounce, .block, .invalidAddress: !kind.verifiesAddress
        }
    }
}

extension MailKind {
    /// A code that someone asked for at that moment.
    package var isAskedCode: Bool {
        switch self {
        case .verificationCode, .signInCode, .resetCode, .addressCode, .reauthenticationCode: true
        case .addressAlreadyRegistered, .exportReady, .sessionReused, .passwordChanged, .addressChanged, .identityLinked, .identityUnlinked:
            false
        }
    }

    /// Asked for at a sign-up or by a member who is signed in, and entering the code ends what was known of the address: it takes mail.
    package var verifiesAddress: Bool { self == .verificationCode || self == .addressCode || self == .reauthenticationCode }

    /// Goes to the account's own address: not to a new one, an earlier one, or that of another account.
    package var goesToAccountAddress: Bool {
        switch self {
        case .addressCode, .addressChanged, .addressAlreadyRegistered: false
        case .verificationCode, .signInCode, .resetCode, .reauthenticationCode, .exportReady, .sessionReused, .passwordChanged,
            .identityLinked, .identityUnlinked:
            true
        }
    }
}
