#if DIARY_FAILPOINTS
    package import DiaryCore

    /// Returns words that depend only on the file's content. For tests; controlled by `speech.json` in the folder of scripts.
    package struct ScriptedRecognizer: SpeechRecognizer {
        package static let languages = SpeechLanguages(["de", "en"])

        package var languages: SpeechLanguages { Self.languages }
        let script: ProviderScript

        package init(scripts: String? = nil) {
            script = ProviderScript(folder: scripts, name: "speech.json")
        }

        /// `um scripted words for <16 hex digits>`, one word each half second.
        package func transcribe(_ recording: VerifiedRecording, language: String?) async throws(ProviderFailure) -> RawTranscript {
            guard let fingerprint = Fingerprint.ofFile(recording.path) else {
                throw ProviderFailure(.permanent, code: .mediaUnreadable, cause: "missing")
            }
            try await script.perform(fingerprint: fingerprint, code: .speechUnavailable)
            let words = ["um", "scripted", "words", "for", fingerprint].enumerated().map { index, text in
                TimedWord(text: text, start: Double(index) * 0.5, end: Double(index) * 0.5 + 0.4, confidence: 0.9)
            }
            return RawTranscript(language: language ?? "en", segments: [SpeechSegment(start: 0, end: 2.4, words: words)])
        }
    }
#endif
