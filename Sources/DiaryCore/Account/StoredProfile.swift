package import FoundationEssentials

/// A profile, for its owner.
package struct StoredProfile: Sendable {
    /// nil for an account made by a provider that named no address.
    package var emailSealed: [UInt8]?
    package var emailVerified: Bool
    package var nameSealed: [UInt8]?
    package var timeZone: String
    package var locale: String?
    package var createdAt: Date
    package var preferences: Preferences

    package init(
        emailSealed: [UInt8]?, emailVerified: Bool, nameSealed: [UInt8]?, timeZone: String, locale: String?, createdAt: Date,
        preferences: Preferences = Preferences()
    ) {
        self.emailSealed = emailSealed
        self.emailVerified = emailVerified
        self.nameSealed = nameSealed
        self.timeZone = timeZone
        self.locale = locale
        self.createdAt = createdAt
        self.preferences = preferences
    }
}
