import DiaryCrypto
package import FoundationEssentials

/// Queued mails under their jobs, by the database role `diary_worker`.
package protocol MailQueueStore: Sendable {
    /// `ownerGone` when it is no longer queued, or is wanted no more; the job is then finished.
    func beginMail(_ job: LeasedJob) async throws(WorkError) -> QueuedMail
    /// Records the hash of the mail's address, and reads the reports about that address and the app's own words.
    /// - Parameters:
    ///   - addressHash: as addresses are looked up.
    ///   - isAccountAddress: reports about this address are shown to the account's owner.
    ///   - locales: the first that the app has words in counts.
    func prepareMail(
        _ job: LeasedJob, addressHash: [UInt8], isAccountAddress: Bool, locales: [String]
    ) async throws(WorkError) -> PreparedMail
    /// Marks the mail as sent and deletes its content.
    /// - Returns: the kind of the job that was committed; nil when there is none.
    func finishMail(_ job: LeasedJob) async throws(WorkError) -> JobKind?
}

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

/// What the store has about the address and the words of a mail, read before the mail is composed.
package struct PreparedMail: Sendable, Equatable {
    /// What a provider has reported of the address; nil when nothing.
    package var bounce: MailBounceReason? = nil
    /// The app's own words; nil when it has none in the mail's languages.
    package var words: MailWords? = nil

    package init(bounce: MailBounceReason? = nil, words: MailWords? = nil) {
        self.bounce = bounce
        self.words = words
    }
}

/// An app's own words for one kind of mail in one language, as `diary tenant mail-template set` has stored them.
package struct MailWords: Sendable, Equatable {
    package var locale: String
    /// Subject and paragraphs; nil for the service's own.
    package var text: String?
    /// In place of the HTML that is made of the paragraphs.
    package var html: String?

    package init(locale: String, text: String?, html: String?) {
        self.locale = locale
        self.text = text
        self.html = html
    }
}

/// An app's own words, as an operator sees them.
package struct StoredMailWords: Sendable, Equatable {
    package var kind: String
    package var words: MailWords
    package var setAt: Date

    package init(kind: String, words: MailWords, setAt: Date) {
        self.kind = kind
        self.words = words
        self.setAt = setAt
    }
}

extension Vault.Part {
    /// JSON.
    package static let payload = Vault.Part(name: "payload", table: "mails")
}

extension Vault {
    /// Seals a mail for the queue.
    package func mail(_ kind: MailKind, _ payload: MailPayload, at now: Date) throws(DiaryError) -> QueuedMail {
        let id = MailID(UUIDv7.make(at: now))
        return QueuedMail(id: id, kind: kind, payload: try seal(payload, as: .payload, row: id.uuid), keyID: key.id, subject: nil)
    }
}
