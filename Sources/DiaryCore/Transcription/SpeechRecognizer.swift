/// Turns speech into words. Implemented by the local engine and by the scripted provider of tests.
package protocol SpeechRecognizer: Sendable {
    var languages: SpeechLanguages { get }
    /// - Parameter language: BCP 47, one of `languages`; nil when the engine is to find out.
    func transcribe(_ recording: VerifiedRecording, language: String?) async throws(ProviderFailure) -> RawTranscript
}
