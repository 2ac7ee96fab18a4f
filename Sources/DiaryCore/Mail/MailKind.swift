/// Every mail that the service sends. The raw value is stored, and operators name it in `diary tenant mail-template set`.
package enum MailKind: String, Sendable, CaseIterable {
    case verificationCode = "verification_code"
    case addressAlreadyRegistered = "address_already_registered"
    case exportReady = "export_ready"
    case signInCode = "sign_in_code"
    case resetCode = "reset_code"
    case addressCode = "address_code"
    case reauthenticationCode = "reauthentication_code"
    case sessionReused = "session_reused"
    case passwordChanged = "password_changed"
    case addressChanged = "address_changed"
    case identityLinked = "identity_linked"
    case identityUnlinked = "identity_unlinked"
}

/// What the arrival of a kind of mail proves.
extension MailKind {
    /// A code that its reader asked for a moment ago.
    package var isRequestedCode: Bool {
        switch self {
        case .verificationCode, .signInCode, .resetCode, .addressCode, .reauthenticationCode: true
        case .addressAlreadyRegistered, .exportReady, .sessionReused, .passwordChanged, .addressChanged, .identityLinked, .identityUnlinked:
            false
        }
    }

    /// Asked for at a sign-up or by a signed-in member. Entering the code proves that the address takes mail, which ends earlier reports.
    package var verifiesAddress: Bool { self == .verificationCode || self == .addressCode || self == .reauthenticationCode }
}

/// The sealed content of a queued mail.
package struct MailPayload: Sendable, Codable, Equatable {
    package var to: String
    package var code: String?

    package init(to: String, code: String?) {
        self.to = to
        self.code = code
    }
}
