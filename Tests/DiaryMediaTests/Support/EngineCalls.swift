import DiaryCore

extension SpeechEngine {
    func transcribe(_ recording: VerifiedRecording, language: String?) async throws(ProviderFailure) -> RawTranscript {
        try await transcribe(recording, SpeechRequest(language: language)).transcript
    }
}

extension TextEngine {
    func clean(_ raw: RawTranscript) async throws(ProviderFailure) -> String { try await clean(raw, TextRequest()).clean }
}
