/// Turns speech into words. Local engine, hosted Whisper and the scripted test provider all stand behind it.
package protocol SpeechRecognizer: Sendable {
    func transcribe(_ path: String, contentType: String, language: String?, folder: String) async throws(ProviderFailure) -> RawTranscript
}
