#if DIARY_FAILPOINTS
    package import DiaryCore

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
