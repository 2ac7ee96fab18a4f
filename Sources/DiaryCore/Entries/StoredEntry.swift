/// An entry as the database holds it: facts in the clear, text sealed.
package struct StoredEntry: Sendable {
    package var facts: EntryFacts
    package var personal: SealedColumn?
    package var machine: SealedColumn?

    package init(facts: EntryFacts, personal: SealedColumn?, machine: SealedColumn?) {
        self.facts = facts
        self.personal = personal
        self.machine = machine
    }

    /// What If-Match compares: incremented by the owner's own changes only (decision D15).
    package var version: Int64 { personal?.version ?? 0 }
}

/// An entry, read with the copy of its recording.
package struct StoredRecording: Sendable {
    package var entry: StoredEntry
    /// nil for a recording that is played as it is.
    package var copy: PlayableCopy?

    package init(entry: StoredEntry, copy: PlayableCopy?) {
        self.entry = entry
        self.copy = copy
    }

    /// What is played and exported: the copy if there is one, else the original. nil for a text.
    package var playable: PlayableRecording? {
        guard uploaded != nil, let copy else { return uploaded }
        let name = "\(entry.facts.stem).\(PlayableCopy.format.fileExtension)"
        return PlayableRecording(object: copy.object, filename: name, sizeBytes: copy.sizeBytes, sha256: copy.sha256)
    }

    /// The recording as it was uploaded; nil for a text, and when it is not kept.
    package var original: PlayableRecording? { copy?.isOriginalKept == false ? nil : uploaded }

    package var objects: RecordingObjects { RecordingObjects(original: entry.facts.object, copy: copy?.object) }

    private var uploaded: PlayableRecording? {
        let facts = entry.facts
        guard facts.kind == .voice, let object = facts.object, let filename = facts.filename else { return nil }
        return PlayableRecording(object: object, filename: filename, sizeBytes: facts.sizeBytes, sha256: facts.sha256)
    }
}

/// The stored parts that a transcript is made from.
package struct StoredTranscript: Sendable {
    package var entry: StoredEntry
    /// nil when they were not asked for, and while there are none.
    package var segments: SealedColumn?
    /// nil likewise, and while nothing is corrected.
    package var corrections: StoredCorrections? = nil
    /// The locale of the owner's profile.
    package var locale: String?
    /// The speaker profiles that the corrections point to.
    package var profiles: [StoredSpeakerProfile] = []

    package init(
        entry: StoredEntry, segments: SealedColumn?, corrections: StoredCorrections? = nil, locale: String?,
        profiles: [StoredSpeakerProfile] = []
    ) {
        self.entry = entry
        self.segments = segments
        self.corrections = corrections
        self.locale = locale
        self.profiles = profiles
    }
}
