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
