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

/// What came of recognising a recording, and by which engine.
package struct Transcription: Sendable, Equatable {
    package enum State: String, Sendable, CaseIterable {
        case heard
        /// Nothing is said in it, as far as the engine can tell: the reason why there is no text.
        case noSpeech = "no_speech"
    }

    package let state: State
    /// nil when a version recognised it that did not store it.
    package let engine: EngineReference?
    /// nil when it was not measured.
    package let coverage: VoiceCoverage?
}

extension Entry {
    /// nil until the recording has been recognised.
    package var transcription: Transcription? {
        machine.raw.map { Transcription(state: $0.isEmpty ? .noSpeech : .heard, engine: machine.speechEngine, coverage: machine.coverage) }
    }
}
