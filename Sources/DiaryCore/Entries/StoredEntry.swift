/// An entry as the database holds it: facts in the clear, text sealed.
package struct StoredEntry: Sendable {
    package var facts: EntryFacts
    package var personal: SealedColumn?
    package var machine: SealedColumn?
    /// Read by workers only.
    package var run = EntryRun()
    /// Read for workers, playback, exports and deletions only; nil for a recording that is played as it is.
    package var copy: PlayableCopy? = nil
    /// Read only when its upload is completed: it has a set of parts, which can be discarded then.
    package var hasParts = false

    package init(
        facts: EntryFacts, personal: SealedColumn?, machine: SealedColumn?, run: EntryRun = EntryRun(), copy: PlayableCopy? = nil,
        hasParts: Bool = false
    ) {
        self.facts = facts
        self.personal = personal
        self.machine = machine
        self.run = run
        self.copy = copy
        self.hasParts = hasParts
    }

    /// What If-Match compares: incremented by the owner's own changes only (decision D15).
    package var version: Int64 { personal?.version ?? 0 }

    /// The recording for playback and exports: the copy if there is one, else the original. nil for a text.
    package var playable: PlayableRecording? {
        guard facts.kind == .voice, let object = facts.object, let filename = facts.filename else { return nil }
        guard let copy else {
            return PlayableRecording(object: object, filename: filename, sizeBytes: facts.sizeBytes, sha256: facts.sha256)
        }
        return PlayableRecording(
            object: copy.object, filename: "\(facts.stem).\(PlayableCopy.format.fileExtension)", sizeBytes: copy.sizeBytes,
            sha256: copy.sha256)
    }

    /// The recording as it was uploaded; nil for a text, and when it is not kept.
    package var original: PlayableRecording? {
        guard copy?.isOriginalKept != false else { return nil }
        var entry = self
        entry.copy = nil
        return entry.playable
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

    package init(entry: StoredEntry, segments: SealedColumn?, corrections: StoredCorrections? = nil, locale: String?) {
        self.entry = entry
        self.segments = segments
        self.corrections = corrections
        self.locale = locale
    }
}
