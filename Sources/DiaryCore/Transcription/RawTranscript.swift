/// A recogniser's result. `segments` are in order of time; an empty list is a recording without speech.
package struct RawTranscript: Sendable, Equatable {
    /// BCP 47, e.g. `en`.
    package var language: String
    package var segments: [SpeechSegment]

    package init(language: String, segments: [SpeechSegment]) {
        self.language = language
        self.segments = segments
    }

    package var text: String { segments.map(\.text).filter { !$0.isEmpty }.joined(separator: "\n") }
}
