import DiaryCore

extension HeardSpeech {
    /// - Parameters:
    ///   - asked: the language that was asked for, with its region; nil when the engine found it.
    ///   - seconds: of the recording.
    func answer(asked: String?, _ request: SpeechRequest, seconds: Double) -> SpeechAnswer {
        // `und` of BCP 47: the engine does not say which.
        let found = language ?? "und"
        let language = asked ?? request.userLanguages.first { WhisperLanguages.isSame($0, found) } ?? found
        return SpeechAnswer(
            RawTranscript(language: language, segments: speechSegments(duration: seconds), voice: voice), model: model, use: use)
    }
}
