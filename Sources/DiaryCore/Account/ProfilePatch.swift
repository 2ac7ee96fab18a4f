/// A member's changes to their own account. What cannot be missing goes back to its default when it is cleared; a time zone is only set.
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

/// The same, the name sealed.
package struct StoredProfilePatch: Sendable {
    package var nameSealed: Patch<[UInt8]>
    package var rest: ProfilePatch
}
