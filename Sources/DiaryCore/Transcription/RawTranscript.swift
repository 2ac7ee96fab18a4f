/// One recognised word; times in seconds from the recording's start, confidence 0 … 1.
package struct TimedWord: Sendable, Equatable, Codable {
    package var text: String
    package var start: Double
    package var end: Double
    package var confidence: Double

    package init(text: String, start: Double, end: Double, confidence: Double) {
        self.text = text
        self.start = start
        self.end = end
        self.confidence = confidence
    }
}

/// A stretch of speech between pauses.
package struct SpeechSegment: Sendable, Equatable, Codable {
    package var start: Double
    package var end: Double
    package var words: [TimedWord]

    package init(start: Double, end: Double, words: [TimedWord]) {
        self.start = start
        self.end = end
        self.words = words
    }

    package var text: String { words.map(\.text).joined(separator: " ") }
}

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
