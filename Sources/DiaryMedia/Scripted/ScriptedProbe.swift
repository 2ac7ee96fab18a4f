#if DIARY_FAILPOINTS
    package import DiaryCore
    import FoundationEssentials

    /// Accepts any non-empty file and derives its facts from its size. For tests; controlled by `probe.json` in the folder of scripts.
    package struct ScriptedProbe: MediaProbe {
        let script: ProviderScript

        package init(scripts: String? = nil) {
            script = ProviderScript(folder: scripts, name: "probe.json")
        }

        package func inspect(
            _ path: String, contentType: String, folder: String, isMeasured: Bool
        ) async throws(ProviderFailure) -> MediaFacts {
            guard let bytes = FileManager.default.contents(atPath: path), !bytes.isEmpty else {
                throw ProviderFailure(.permanent, code: .mediaUnreadable, cause: "missing or empty")
            }
            try await script.perform(fingerprint: Fingerprint.of(bytes), code: .mediaUnreadable)
            // As if recorded at 64 kbit/s.
            return MediaFacts(durationSeconds: Double(bytes.count) / 8_000, codec: "aac", channels: 1, sampleRate: 44_100)
        }
    }
#endif
