/// Turns speech into words.
package protocol SpeechEngine: Sendable {
    var languages: SpeechLanguages { get }
    /// How many of `SpeechRequest.speakers` it takes.
    var mostKnownSpeakers: Int { get }
    /// What it is given parts of recordings in.
    var partFormat: SpeechPartFormat { get }
    /// Whether it sends a recording of this media type as it is. Another is sent as 16 kHz mono wav, whose size counts against
    /// `EngineSettings.maxBytes`.
    func sendsAsItIs(_ contentType: String) -> Bool
    /// Seconds of the recording that a call would ask for: without the parts that earlier tries have kept (`SpeechRequest.parts`).
    func secondsToHear(_ recording: VerifiedRecording, _ request: SpeechRequest) async throws(ProviderFailure) -> Double
    func transcribe(_ recording: VerifiedRecording, _ request: SpeechRequest) async throws(ProviderFailure) -> SpeechAnswer
}

extension SpeechEngine {
    package var mostKnownSpeakers: Int { 0 }
    package var partFormat: SpeechPartFormat { .opus }
    package func sendsAsItIs(_ contentType: String) -> Bool { true }
    package func secondsToHear(_ recording: VerifiedRecording, _ request: SpeechRequest) async throws(ProviderFailure) -> Double {
        recording.durationSeconds
    }
}

/// How a part of a recording is written for an engine: both are 16 kHz mono.
package enum SpeechPartFormat: Sendable {
    /// In Ogg, small: for what is sent over a network.
    case opus
    case wav
}
