/// A member's changes to their own account. Clearing a field that must have a value restores its default; a time zone can only be set.
package struct ProfilePatch: Sendable {
    package var name = Patch<String>.absent
    package var locale = Patch<String>.absent
    package var timeZone: String?
    package var dayEndsMinute: Int?
    package var languages: [String]?
    /// Given anew while it stands, it keeps its time.
    package var hostedProcessingConsent: Bool?
    package var speechEngine = Patch<String>.absent
    package var textEngine = Patch<String>.absent
    package var vocabulary: [String]?
    package var recordingsRetentionDays = Patch<Int>.absent

    /// Changes nothing.
    package static let unchanged = ProfilePatch()
}
