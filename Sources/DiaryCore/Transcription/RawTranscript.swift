/// A recogniser's result. `segments` are in order of time; an empty list is a recording without speech.
package struct RawTranscript: Sendable, Equatable {
    /// BCP 47, e.g. `en`; `und` when the engine does not say which.
    package var language: String
    package var segments: [SpeechSegment]
    /// Where the recording has voice; nil when that was not measured.
    package var voice: [VoiceSpan]? = nil

    package init(language: String, segments: [SpeechSegment], voice: [VoiceSpan]? = nil) {
        self.language = language
        self.segments = segments
        self.voice = voice
    }

    /// nil when the engine does not say which.
    package var knownLanguage: String? { SpeechLanguages.known(language) }

    package var text: String { segments.map(\.text).filter { !$0.isEmpty }.joined(separator: "\n") }
}
