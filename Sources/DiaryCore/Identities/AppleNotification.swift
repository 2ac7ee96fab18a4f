package import FoundationEssentials

/// Something a user did with their Apple account ("Processing changes for Sign in with Apple accounts").
package struct AppleNotification: Sendable, Equatable {
    package enum Kind: Sendable, Hashable {
        case emailDisabled
        case emailEnabled
        case consentRevoked
        case accountDeleted
        /// An unknown kind: acknowledged and ignored.
        case other
    }

    /// `jti`: a repeated one is the same notification.
    package let id: String
    package let audience: String
    package let kind: Kind
    package let subject: String
    /// The relay address, for the two mail kinds.
    package let address: MailAddress?
    package let happenedAt: Date
    /// Until when the id must be stored.
    package let expiresAt: Date

    package init(
        id: String, audience: String, kind: Kind, subject: String, address: MailAddress?, happenedAt: Date, expiresAt: Date
    ) {
        self.id = id
        self.audience = audience
        self.kind = kind
        self.subject = subject
        self.address = address
        self.happenedAt = happenedAt
        self.expiresAt = expiresAt
    }
}

extension AppleNotification: CustomStringConvertible, CustomReflectable {
    package var description: String { "<Apple notification>" }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
