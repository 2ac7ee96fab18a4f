package import FoundationEssentials

/// A profile, for its owner.
package struct StoredProfile: Sendable {
    /// nil for an account made by a provider that named no address.
    package var emailSealed: [UInt8]?
    package var emailVerified: Bool
    /// nil without an address.
    package var emailStatus: EmailStatus?
    package var nameSealed: [UInt8]?
    /// nil: no words.
    package var vocabularySealed: [UInt8]?
    package var timeZone: String
    package var locale: String?
    package var createdAt: Date
    package var preferences: Preferences
    /// Differs after every change of what the owner is shown; below 2^53, and not a counter.
    package var version: Int64

    package init(
        emailSealed: [UInt8]?, emailVerified: Bool, nameSealed: [UInt8]?, timeZone: String, locale: String?, createdAt: Date,
        preferences: Preferences = Preferences(), version: Int64 = 1, vocabularySealed: [UInt8]? = nil, emailStatus: EmailStatus? = nil
    ) {
        self.emailSealed = emailSealed
        self.emailVerified = emailVerified
        self.emailStatus = emailStatus
        self.nameSealed = nameSealed
        self.timeZone = timeZone
        self.locale = locale
        self.createdAt = createdAt
        self.preferences = preferences
        self.version = version
        self.vocabularySealed = vocabularySealed
    }
}

extension Vault.Part {
    package static let email = Vault.Part(name: "email", table: "users")
    package static let name = Vault.Part(name: "name", table: "users")
}
