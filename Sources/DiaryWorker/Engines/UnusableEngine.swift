import DiaryCore

/// Stands in a chain for an engine that could not be made, so that the chain passes over it and tells why.
struct UnusableEngine: SpeechEngine, TextEngine {
    let failure: ProviderFailure

    var languages: SpeechLanguages { .all }

    func transcribe(_ recording: VerifiedRecording, _ request: SpeechRequest) async throws(ProviderFailure) -> SpeechAnswer {
        throw failure
    }

    func clean(_ raw: RawTranscript, _ request: TextRequest) async throws(ProviderFailure) -> TextAnswer { throw failure }
}
