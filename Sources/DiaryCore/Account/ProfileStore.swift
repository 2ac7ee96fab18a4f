package import FoundationEssentials

/// A member's own account, by the database role `diary_api`.
package protocol ProfileStore: Sendable {
    func profile(of member: Member) async throws(DiaryError) -> StoredProfile
    /// Changes the fields that the patch names.
    /// - Parameters:
    ///   - versions: of which the profile must have one; nil for any.
    ///   - keyID: of the key that sealed name, vocabulary and reminder; nil when none is set.
    func change(
        _ patch: StoredProfilePatch, matching versions: [Int64]?, keyID: UUID?, by member: Member
    ) async throws(DiaryError) -> ProfileChange<StoredProfile>
    /// - Parameter now: whose day the streak ends with, and whose day of UTC the usage is of.
    func statistics(of member: Member, at now: Date) async throws(DiaryError) -> AccountStatistics
    /// Newest first; of one kind, or with nil of every kind.
    func events(
        _ kind: AuditEvent.Kind?, before position: ListPosition?, limit: Int, of member: Member
    ) async throws(DiaryError) -> [AuditEvent]
}

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
    /// nil: `Reminder.standard`.
    package var reminderSealed: [UInt8]?
    package var timeZone: String
    package var locale: String?
    package var createdAt: Date
    package var preferences: Preferences
    /// Differs after every change of what the owner is shown; below 2^53, and not a counter.
    package var version: Int64

    package init(
        emailSealed: [UInt8]?, emailVerified: Bool, nameSealed: [UInt8]?, timeZone: String, locale: String?, createdAt: Date,
        preferences: Preferences = Preferences(), version: Int64 = 1, vocabularySealed: [UInt8]? = nil, emailStatus: EmailStatus? = nil,
        reminderSealed: [UInt8]? = nil
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
        self.reminderSealed = reminderSealed
    }
}

extension Vault.Part {
    package static let email = Vault.Part(name: "email", table: "users")
    package static let name = Vault.Part(name: "name", table: "users")
}

/// The result of a change that may be conditional on the profile's version.
package enum ProfileChange<Value: Sendable>: Sendable {
    case changed(Value)
    /// Nothing was changed: this is the profile as it is.
    case otherVersion(Value)

    package func map<Other>(_ transform: (Value) throws(DiaryError) -> Other) throws(DiaryError) -> ProfileChange<Other> {
        switch self {
        case .changed(let value): .changed(try transform(value))
        case .otherVersion(let value): .otherVersion(try transform(value))
        }
    }
}

/// A `ProfilePatch` with name, vocabulary and reminder sealed.
package struct StoredProfilePatch: Sendable {
    package var nameSealed: Patch<[UInt8]>
    package var rest: ProfilePatch
    package var vocabularySealed = Patch<[UInt8]>.absent
    package var reminderSealed = Patch<[UInt8]>.absent
}
