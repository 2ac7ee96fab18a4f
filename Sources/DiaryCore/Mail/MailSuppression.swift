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
