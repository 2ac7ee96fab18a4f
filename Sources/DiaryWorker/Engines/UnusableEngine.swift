import DiaryCore

/// Takes the place of an engine that could not be made, so that the chain skips it and reports why.
struct UnusableEngine: SpeechEngine, TextEngine {
    let failure: ProviderFailure

    var languages: SpeechLanguages { .all }

    func transcribe(_ recording: VerifiedRecording, _ request: SpeechRequest) async throws(ProviderFailure) -> SpeechAnswer {
        throw failure
    }

    func clean(_ raw: RawTranscript, _ request: TextRequest) async throws(ProviderFailure) -> TextAnswer { throw failure }
}
