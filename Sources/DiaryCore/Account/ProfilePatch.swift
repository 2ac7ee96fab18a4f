/// A member's changes to their own account. What cannot be missing goes back to its default when it is cleared; a time zone is only set.
package struct ProfilePatch: Sendable {
    package var name = Patch<String>.absent
    package var locale = Patch<String>.absent
    package var timeZone: String?
    package var dayEndsMinute: Int?
    package var languages: [String]?
    package var trainingConsent: Bool?

    /// Changes nothing.
    package static let unchanged = ProfilePatch()
}

/// The same, the name sealed.
package struct StoredProfilePatch: Sendable {
    package var nameSealed: Patch<[UInt8]>
    package var rest: ProfilePatch
}
