package import FoundationEssentials

/// A mail in the database, its content sealed; the job that sends it is inserted with it.
package struct QueuedMail: Sendable {
    package var id: MailID
    package var kind: MailKind
    package var payload: [UInt8]
    package var keyID: UUID
    package var subject: UUID?
    /// Instead of a payload, sealed as the account has it: for a notice the account's address as it was, for `exportReady` the verified
    /// address it has now, read with the mail; nil when it has none.
    package var addressSealed: [UInt8]? = nil
    /// The account's.
    package var locale: String? = nil
    /// The address that the account has now, read with the mail; nil when it has none.
    package var accountSealed: [UInt8]? = nil
    /// When it was asked for, read with the mail.
    package var createdAt: Date? = nil

    package init(
        id: MailID, kind: MailKind, payload: [UInt8], keyID: UUID, subject: UUID?, addressSealed: [UInt8]? = nil, locale: String? = nil,
        accountSealed: [UInt8]? = nil, createdAt: Date? = nil
    ) {
        self.id = id
        self.kind = kind
        self.payload = payload
        self.keyID = keyID
        self.subject = subject
        self.addressSealed = addressSealed
        self.locale = locale
        self.accountSealed = accountSealed
        self.createdAt = createdAt
    }
}

package enum Mails {}
package typealias MailID = ID<Mails>
