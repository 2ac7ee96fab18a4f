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
}
