package struct EntryPatch: Sendable {
    package var title = Patch<String>.absent
    package var edited = Patch<String>.absent
    package var tags = Patch<[String]>.absent
    package var mood = Patch<String>.absent
    package var language = Patch<String>.absent

    /// Changes nothing.
    package static let unchanged = EntryPatch()
}
