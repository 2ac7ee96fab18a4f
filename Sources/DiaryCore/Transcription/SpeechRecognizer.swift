/// Turns speech into words. Implemented by the local engine and by the scripted provider of tests.
package protocol SpeechRecognizer: Sendable {
    /// - Parameter language: BCP 47; nil when the user named none.
    func transcribe(_ recording: VerifiedRecording, language: String?) async throws(ProviderFailure) -> RawTranscript
}
