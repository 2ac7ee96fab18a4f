import DiaryCrypto
package import FoundationEssentials
import WireFormats

/// Applies the owner's changes (`EntryPatch`) to an entry. Machine text stays as it is. What sets only what is there writes nothing: the entry
/// keeps its version and its place in the feed.
package struct EditEntry: Sendable {
    let entries: any EntryStore
    let keys: DataKeys
    let tenants: any TenantStore
    let jobSignals: any JobSignals

    package func run(
        _ id: EntryID, _ patch: EntryPatch, matching match: VersionMatch, by member: Member
    ) async throws(DiaryError) -> VersionedWrite<Entry> {
        var describing: JobID?
        if case .absent = patch[.text] {
        } else if try await tenants.configuration(of: member.tenant).describesTexts {
            describing = JobID(UUIDv7.make())
        }
        let job = describing
        let written = try await entries.rewrite(id, matching: match, keys, by: member) { (entry, vault) throws(DiaryError) in
            // Writing over a damaged part would destroy what might still be recovered.
            guard !entry.damage.contains(.personal) else { throw DiaryError(.entryDamaged) }
            var personal = entry.personal
            for text in PersonalText.all { personal[text] = patch[text].applied(to: personal[text]) }
            personal.tags = patch.tags.applied(to: personal.tags) ?? []
            try personal.metadata.apply(patch.metadata)
            if entry.facts.kind == .text, personal.edited == nil { throw DiaryError.invalid("/text", "a text entry needs its text") }
            // By bytes, since strings are equal also where the same character is encoded in two ways.
            guard patch.facts.changes(entry.facts) || personal.plainBytes != entry.personal.plainBytes else { return nil }
            var rewrite = try vault.rewrite(personal, of: id, over: entry.version)
            rewrite.facts = patch.facts
            rewrite.facts.recordedAt = patch.facts.time(changing: entry.facts)
            rewrite.changesWords = personal.edited != entry.personal.edited
            if rewrite.changesWords, entry.facts.kind == .text { rewrite.redescription = Redescription(job: job) }
            if let replaced = entry.personal.edited, replaced != personal.edited {
                rewrite.replaced = try vault.seal(RevisionPart(text: replaced), .edited, number: entry.version, of: id)
            }
            return rewrite
        }
        if job != nil, case .written(let entry) = written, entry.facts.kind == .text { jobSignals.jobCommitted(.clean) }
        return written
    }
}

package struct EntryPatch: Sendable {
    private var texts: [PersonalText.Field: Patch<String>] = [:]
    package var tags = Patch<[String]>.absent
    package var metadata: [EntryMetadata.Change] = []
    package var facts = FactsPatch()

    /// Changes nothing.
    package static let unchanged = EntryPatch()

    package subscript(_ text: PersonalText) -> Patch<String> {
        get { texts[text.field] ?? .absent }
        set { texts[text.field] = newValue }
    }
}

/// What its owner changes of an entry's plain columns; nil: as it was.
package struct FactsPatch: Sendable {
    /// A change clears the code `language_unsupported`, so that a retry is possible. Any language, also the same, dismisses a `failedRun`.
    package var language = Patch<String>.absent
    /// Either of the two moves the wall clock and the day of the diary with it.
    package var recordedAt: Date?
    package var timeZone: String?
    package var favorite: Bool?
    package var keepAudio: Bool?

    /// Whether it gives a fact another value than it has.
    func changes(_ facts: EntryFacts) -> Bool {
        if let favorite, favorite != facts.favorite { return true }
        if let keepAudio, keepAudio != facts.keepAudio { return true }
        if let timeZone, timeZone != facts.timeZone { return true }
        if time(changing: facts) != nil { return true }
        if case .absent = language { return false }
        if facts.failedRun != nil { return true }
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
