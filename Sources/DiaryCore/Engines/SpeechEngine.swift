/// Turns speech into words.
package protocol SpeechEngine: Sendable {
    var languages: SpeechLanguages { get }
    /// How many of `SpeechRequest.speakers` it takes.
    var mostKnownSpeakers: Int { get }
    func transcribe(_ recording: VerifiedRecording, _ request: SpeechRequest) async throws(ProviderFailure) -> SpeechAnswer
}

extension SpeechEngine {
    package var mostKnownSpeakers: Int { 0 }
}
