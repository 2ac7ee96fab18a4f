package import FoundationEssentials

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

/// A mail in the database, its content sealed; the job that sends it is inserted with it.
package struct QueuedMail: Sendable {
    package var id: MailID
    package var kind: MailKind
    package var payload: [UInt8]
    package var keyID: UUID
    package var subject: UUID?
    /// Instead of a payload, for a mail whose text depends on its kind only: the account's address, sealed as the account has it.
    package var addressSealed: [UInt8]?

    package init(id: MailID, kind: MailKind, payload: [UInt8], keyID: UUID, subject: UUID?, addressSealed: [UInt8]? = nil) {
        self.id = id
        self.kind = kind
        self.payload = payload
        self.keyID = keyID
        self.subject = subject
        self.addressSealed = addressSealed
    }
}
