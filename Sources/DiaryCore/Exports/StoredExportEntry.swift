package import FoundationEssentials

/// An entry with all that is stored about it, as an export reads it.
package struct StoredExportEntry: Sendable {
    package var entry: StoredEntry
    package var uploadedAt: Date? = nil
    package var segments: SealedColumn? = nil
    package var corrections: StoredCorrections? = nil
    package var waveform: SealedColumn? = nil
    /// The newest first.
    package var revisions: [TextLayer: [StoredRevision]] = [:]

    package init(
        entry: StoredEntry, uploadedAt: Date? = nil, segments: SealedColumn? = nil, corrections: StoredCorrections? = nil,
        waveform: SealedColumn? = nil, revisions: [TextLayer: [StoredRevision]] = [:]
    ) {
        self.entry = entry
        self.uploadedAt = uploadedAt
        self.segments = segments
        self.corrections = corrections
        self.waveform = waveform
        self.revisions = revisions
    }
}
