package import FoundationEssentials

/// An entry as an export writes it, opened.
package struct ExportedEntry: Sendable {
    /// A sealed part beside the entry's own that was altered in the database and does not open.
    package enum Part: String, Sendable { case segments, corrections, waveform }

    /// Content versions; nil for a part that is not there.
    package struct Versions: Sendable {
        package var personal: Int64?
        package var machine: Int64?
        package var segments: Int64?
        package var corrections: Int64?
    }

    package var transcript: Transcript
    /// What goes into the zip.
    package var recording: PlayableRecording?
    package var copy: PlayableCopy?
    /// What was sent, where it is kept; the same as `recording` where there is no copy.
    package var original: PlayableRecording?
    package var run: EntryRun
    package var uploadedAt: Date?
    package var versions: Versions
    package var waveform: Waveform?
    /// Earlier texts by layer, the newest first.
    package var revisions: [Revision]
    package var damaged: [Part] = []

    package var entry: Entry { transcript.entry }
}

extension Vault {
    /// Opens what an export has read. A part that does not open is noted and costs nothing else.
    /// - Parameters:
    ///   - locale: of dates.
    ///   - language: of the words that the service adds.
    ///   - profiles: of the account's speakers.
    /// - Throws: `internalError` when no entry opens with this key.
    package func open(
        _ stored: [StoredExportEntry], locale: String?, language: WrittenLanguage = .en, profiles: [SpeakerProfile] = []
    ) throws(DiaryError) -> [ExportedEntry] {
        zip(stored, try open(stored.map(\.entry))).map { stored, entry in
            open(stored, Transcript(entry: entry, segments: nil, locale: locale, language: language), profiles)
        }
    }

    private func open(_ stored: StoredExportEntry, _ transcript: Transcript, _ profiles: [SpeakerProfile]) -> ExportedEntry {
        let entry = transcript.entry
        let id = entry.facts.id
        var opened = ExportedEntry(
            transcript: transcript, recording: stored.recording.playable, copy: stored.copy, original: stored.recording.original,
            run: stored.run, uploadedAt: stored.uploadedAt,
            versions: .init(
                personal: stored.entry.personal?.version, machine: stored.entry.machine?.version, segments: stored.segments?.version),
            waveform: nil,
            revisions: TextLayer.allCases.flatMap { layer in (stored.revisions[layer] ?? []).map { open($0, layer, of: id) } })
        if let sealed = stored.segments {
            if let segments = try? open(segments: sealed, of: id) {
                opened.transcript.segments = segments
            } else {
                opened.damaged.append(.segments)
            }
            // Those of other segments belong to no words any more.
            if let corrections = stored.corrections, corrections.segmentsVersion == sealed.version {
                opened.versions.corrections = corrections.sealed.version
                if let opening = try? open(corrections: corrections, of: sealed, id) {
                    opened.transcript.corrections = opening.resolved(by: profiles)
                    opened.transcript.segments = opened.transcript.segments.map { opening.applied(to: $0) }
                } else {
                    opened.damaged.append(.corrections)
                }
            }
        }
        if let sealed = stored.waveform, let object = entry.facts.object {
            opened.waveform = try? open(Waveform.self, sealed.bytes, as: .waveform, row: object, version: sealed.version)
            if opened.waveform == nil { opened.damaged.append(.waveform) }
        }
        return opened
    }
}

/// An entry with all that is stored about it, as an export reads it.
package struct StoredExportEntry: Sendable {
    package var entry: StoredEntry
    /// nil for a recording that is played as it is.
    package var copy: PlayableCopy? = nil
    package var run = EntryRun()
    package var uploadedAt: Date? = nil
    package var segments: SealedColumn? = nil
    package var corrections: StoredCorrections? = nil
    package var waveform: SealedColumn? = nil
    /// The newest first.
    package var revisions: [TextLayer: [StoredRevision]] = [:]

    package init(
        entry: StoredEntry, copy: PlayableCopy? = nil, run: EntryRun = EntryRun(), uploadedAt: Date? = nil, segments: SealedColumn? = nil,
        corrections: StoredCorrections? = nil, waveform: SealedColumn? = nil, revisions: [TextLayer: [StoredRevision]] = [:]
    ) {
        self.entry = entry
        self.copy = copy
        self.run = run
        self.uploadedAt = uploadedAt
        self.segments = segments
        self.corrections = corrections
        self.waveform = waveform
        self.revisions = revisions
    }

    var recording: StoredRecording { StoredRecording(entry: entry, copy: copy) }
}
