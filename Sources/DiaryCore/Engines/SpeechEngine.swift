/// Turns speech into words.
package protocol SpeechEngine: Sendable {
    var languages: SpeechLanguages { get }
    func transcribe(_ recording: VerifiedRecording, _ request: SpeechRequest) async throws(ProviderFailure) -> SpeechAnswer
}
