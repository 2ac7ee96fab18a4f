package import FoundationEssentials

/// What is known of one address of an app, without the address.
package struct MailSuppression: Sendable, Equatable {
    /// The first bytes of the look-up hash, to tell rows apart.
    package var id: String
    /// nil for one that this version does not have.
    package var reason: MailBounceReason?
    package var provider: String
    package var happenedAt: Date
    package var notedAt: Date

    package init(id: String, reason: MailBounceReason?, provider: String, happenedAt: Date, notedAt: Date) {
        self.id = id
        self.reason = reason
        self.provider = provider
        self.happenedAt = happenedAt
        self.notedAt = notedAt
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

/// Addresses that get no mail, and words of apps, by the database role `diary_admin`.
package protocol MailAdministration: Sendable {
    /// The latest first.
    func suppressions(of slug: String, limit: Int) async throws(DiaryError) -> [MailSuppression]
    /// - Returns: false when nothing is known of the address.
    func lift(_ addressHash: [UInt8], of tenant: TenantID, by operator: String) async throws(DiaryError) -> Bool
    func words(of slug: String) async throws(DiaryError) -> [StoredMailWords]
    /// Leaves the part that is nil as it is.
    func set(_ words: MailWords, _ kind: MailKind, of tenant: TenantID, by operator: String) async throws(DiaryError)
    /// - Returns: false when there are none.
    func unset(_ kind: String, _ locale: String, of tenant: TenantID, by operator: String) async throws(DiaryError) -> Bool
}
