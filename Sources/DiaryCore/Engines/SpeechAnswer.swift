/// What a speech engine recognised, and what the call used.
package struct SpeechAnswer: Sendable, Equatable {
    package var transcript: RawTranscript
    /// As the engine's answer names it; nil when it does not.
    package var model: String?
    package var use: EngineUse
    /// False when there was nothing to ask: no word fits into the recording, or all its parts were heard before.
    package var isFromEngine = true

    package init(_ transcript: RawTranscript, model: String? = nil, use: EngineUse) {
        self.transcript = transcript
        self.model = model
        self.use = use
    }
}
