#if DIARY_FAILPOINTS
    package import DiaryCore
    import FoundationEssentials

    /// Accepts any non-empty file at once and makes up its facts from its size. For tests; `probe.json` in the script folder steers it.
    package struct ScriptedProbe: MediaProbe {
        let script: ProviderScript

        package init(scripts: String? = nil) {
            script = ProviderScript(folder: scripts, name: "probe.json")
        }

        package func inspect(_ path: String, contentType: String, folder: String) async throws(ProviderFailure) -> MediaFacts {
            guard let bytes = FileManager.default.contents(atPath: path), !bytes.isEmpty else {
                throw ProviderFailure(.permanent, code: .mediaUnreadable, cause: "missing or empty")
            }
            try await script.perform(fingerprint: Fingerprint.of(bytes), code: .mediaUnreadable)
            // As if recorded at 64 kbit/s.
            return MediaFacts(durationSeconds: Double(bytes.count) / 8_000, codec: "aac", channels: 1, sampleRate: 44_100)
        }
    }
#endif
