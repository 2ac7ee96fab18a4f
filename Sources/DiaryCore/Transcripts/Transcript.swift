/// The words of an entry, with their times when these were asked for.
package struct Transcript: Sendable {
    package var entry: Entry
    /// nil when they were not asked for and before a recording has been recognised; empty when nothing is said in it.
    package var segments: [SpeechSegment]?
    /// They are in `segments` already.
    package var corrections = SegmentCorrections()
    /// In which dates are written, of the owner's profile.
    package var locale: String?

    /// The recognised segments.
    /// - Throws: `notAVoiceEntry`, `transcriptNotReady`.
    package func recognized() throws(DiaryError) -> [SpeechSegment] {
        guard entry.facts.kind == .voice else { throw DiaryError(.notAVoiceEntry) }
        guard let segments else { throw DiaryError(.transcriptNotReady) }
        return segments
    }
}
