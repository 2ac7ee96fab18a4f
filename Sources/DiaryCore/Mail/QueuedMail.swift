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
}

package enum Mails {}
package typealias MailID = ID<Mails>
