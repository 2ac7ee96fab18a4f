#if DIARY_FAILPOINTS
    package import DiaryCore

    /// Applies the rules cleaner, after what `clean.json` in the folder of scripts says. For tests.
    package struct ScriptedCleaner: TranscriptCleaner {
        let script: ProviderScript
        let rules = RulesCleaner()

        package init(scripts: String? = nil) {
            script = ProviderScript(folder: scripts, name: "clean.json")
        }

        package func clean(_ raw: RawTranscript) async throws(ProviderFailure) -> String {
            try await script.perform(fingerprint: Fingerprint.of(raw.text.utf8), code: .cleanupUnavailable)
            return try await rules.clean(raw)
        }
    }
#endif
