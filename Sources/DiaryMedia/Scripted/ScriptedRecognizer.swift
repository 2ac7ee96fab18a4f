#if DIARY_FAILPOINTS
    package import DiaryCore
    import FoundationEssentials

    /// Returns words that depend only on the file's content. For tests; controlled by `speech.json` in the folder of scripts.
    package struct ScriptedRecognizer: SpeechEngine {
        package static let languages = SpeechLanguages(["de", "en"])

        package var languages: SpeechLanguages { Self.languages }
        let script: ProviderScript

        package init(scripts: String? = nil) {
            script = ProviderScript(folder: scripts, name: "speech.json")
        }

        private struct LimitFile: Decodable {
            var max_bytes: Int?
            var max_seconds: Int?
        }

        /// With the limits of `{"max_bytes": 100000, "max_seconds": 20}` in `limits.json`, both optional.
        package static func settings(scripts: String?) -> EngineSettings {
            let content = scripts.flatMap { FileManager.default.contents(atPath: "\($0)/limits.json") }
            let limits = content.flatMap { try? JSONDecoder().decode(LimitFile.self, from: $0) }
            return EngineSettings(
                name: "scripted", stage: .speech, kind: .local, maxBytes: limits?.max_bytes, maxSeconds: limits?.max_seconds)
        }

        /// `um scripted words for <16 hex digits>`, or what the script says; or its segments: one word each half second, a second between segments.
        package func transcribe(_ recording: VerifiedRecording, _ request: SpeechRequest) async throws(ProviderFailure) -> SpeechAnswer {
            guard let fingerprint = Fingerprint.ofFile(recording.path) else {
                throw ProviderFailure(.permanent, code: .mediaUnreadable, cause: "missing")
            }
            if try await script.perform(fingerprint: fingerprint, code: .speechUnavailable) {
                return SpeechAnswer(
                    RawTranscript(language: request.language ?? "en", segments: []), use: EngineUse(audioSeconds: recording.durationSeconds)
                )
            }
            if let segments = script.segments {
                return SpeechAnswer(
                    RawTranscript(language: request.language ?? "en", segments: Self.segments(segments)),
                    use: EngineUse(audioSeconds: recording.durationSeconds))
            }
            let said = script.says?.split(separator: " ").map(String.init) ?? ["um", "scripted", "words", "for", fingerprint]
            let words = said.enumerated().map { index, text in
                TimedWord(text: text, start: Double(index) * 0.5, end: Double(index) * 0.5 + 0.4, confidence: 0.9)
            }
            let transcript = RawTranscript(
                language: request.language ?? "en", segments: [SpeechSegment(start: 0, end: words.last?.end ?? 0, words: words)])
            return SpeechAnswer(transcript, use: EngineUse(audioSeconds: recording.durationSeconds))
        }

        private static func segments(_ scripted: [ProviderScript.Segment]) -> [SpeechSegment] {
            var start = 0.0
            return scripted.map { one in
                let words = one.text.split(separator: " ").enumerated().map { index, text in
                    let at = start + Double(index) * 0.5
                    return TimedWord(text: String(text), start: at, end: at + 0.4, confidence: one.confidence ?? 0.9)
                }
                let segment = SpeechSegment(
                    start: start, end: words.last?.end ?? start, words: words, confidence: one.confidence, speaker: one.speaker)
                start = segment.end + 1
                return segment
            }
        }
    }

    /// Applies the rules cleaner, after what `clean.json` in the folder of scripts says, or answers what it has. For tests.
    package struct ScriptedCleaner: TextEngine {
        let script: ProviderScript
        let rules = RulesCleaner()

        package init(scripts: String? = nil) {
            script = ProviderScript(folder: scripts, name: "clean.json")
        }

        package func clean(_ raw: RawTranscript, _ request: TextRequest) async throws(ProviderFailure) -> TextAnswer {
            try await script.perform(fingerprint: Fingerprint.of(raw.text.utf8), code: .cleanupUnavailable)
            var answer = try await rules.clean(raw, request)
            if let scripted = script.answer {
                answer.clean = scripted.clean ?? answer.clean
                (answer.title, answer.summary, answer.mood) = (scripted.title, scripted.summary, scripted.mood)
                (answer.keyPoints, answer.tags) = (scripted.key_points ?? [], scripted.tags ?? [])
            }
            return answer
        }
    }
#endif
