package import FoundationEssentials

package struct EntryPatch: Sendable {
    package var title = Patch<String>.absent
    package var edited = Patch<String>.absent
    package var tags = Patch<[String]>.absent
    package var mood = Patch<String>.absent
    package var language = Patch<String>.absent
    /// nil: as it was.
    package var recordedAt: Date?
    package var timeZone: String?
    package var favorite: Bool?
    package var keepAudio: Bool?

    /// Changes nothing.
    package static let unchanged = EntryPatch()
}
