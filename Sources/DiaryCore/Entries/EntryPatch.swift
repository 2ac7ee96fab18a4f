package import FoundationEssentials
import WireFormats

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
        if time(changing: facts) != nil { return true }
        return language.applied(to: facts.language) != facts.language
    }

    /// The new time of the recording. Nil also for the time that the client was answered, which is cut to a millisecond: the stored one keeps its
    /// microseconds beside other changes.
    func time(changing facts: EntryFacts) -> Date? {
        guard let recordedAt, !Self.isSame(recordedAt, facts.recordedAt) else { return nil }
        return recordedAt
    }

    /// Stored times are rounded to a microsecond.
    private static func isSame(_ time: Date, _ stored: Date) -> Bool {
        abs(time.timeIntervalSince(stored)) <= 0.000_000_5 || RFC3339.exactText(time) == RFC3339.text(stored)
    }
}
