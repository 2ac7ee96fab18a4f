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

    /// Whether it gives a fact another value than it has.
    func changes(_ facts: EntryFacts) -> Bool {
        if let favorite, favorite != facts.favorite { return true }
        if let keepAudio, keepAudio != facts.keepAudio { return true }
        if let timeZone, timeZone != facts.timeZone { return true }
        // Stored times are rounded to a microsecond.
        if let recordedAt, abs(recordedAt.timeIntervalSince(facts.recordedAt)) > 0.000_000_5 { return true }
        return language.applied(to: facts.language) != facts.language
    }
}
