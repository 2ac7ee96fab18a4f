/// A member's changes to their own account. Clearing a field that must have a value restores its default; a time zone can only be set.
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
