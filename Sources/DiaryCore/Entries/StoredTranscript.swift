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
