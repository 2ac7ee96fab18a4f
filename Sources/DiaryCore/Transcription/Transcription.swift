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
