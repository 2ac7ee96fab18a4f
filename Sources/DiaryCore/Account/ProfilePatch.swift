/// A member's changes to their own account. Clearing a field that must have a value restores its default; a time zone can only be set.
package struct ProfilePatch: Sendable {
    package var name: Patch<String>
    package var locale: Patch<String>
    package var timeZone: String?
    package var dayEndsMinute: Int?
    package var languages: [String]?
    package var trainingConsent: Bool?

    package init(
        name: Patch<String> = .absent, locale: Patch<String> = .absent, timeZone: String? = nil, dayEndsMinute: Int? = nil,
        languages: [String]? = nil, trainingConsent: Bool? = nil
    ) {
        self.name = name
        self.locale = locale
        self.timeZone = timeZone
        self.dayEndsMinute = dayEndsMinute
        self.languages = languages
        self.trainingConsent = trainingConsent
    }
}

/// The same with the name sealed.
package struct StoredProfilePatch: Sendable {
    package var nameSealed: Patch<[UInt8]>
    package var rest: ProfilePatch
}
