#if DIARY_FAILPOINTS
    package import DiaryCore
    import FoundationEssentials

    /// A waveform of the file's bytes and, of what is not MP4, a copy: `m4a of ` and those bytes. For tests; `ScriptedProbe` has refused what
    /// is to be refused.
    package struct ScriptedRenderer: RecordingRenderer {
        package init() {}

        package func render(
            _ path: String, contentType: String, facts: MediaFacts, folder: String
        ) async throws(ProviderFailure) -> RenderedRecording {
            guard let bytes = FileManager.default.contents(atPath: path).map({ Array($0) }), !bytes.isEmpty else {
                throw ProviderFailure(.permanent, code: .mediaUnreadable, cause: "missing or empty")
            }
            let waveform = Waveform { bytes[$0 * bytes.count / Waveform.points] }
            guard AudioFormat(contentType: contentType)?.isPlayable == false else {
                return RenderedRecording(durationSeconds: facts.durationSeconds, waveform: waveform, copy: nil)
            }
            let copy = "\(path).copy.m4a"
            guard FileManager.default.createFile(atPath: copy, contents: Data("m4a of ".utf8) + bytes) else {
                throw ProviderFailure(.retry, code: .storageUnavailable, cause: "copy")
            }
            return RenderedRecording(durationSeconds: facts.durationSeconds, waveform: waveform, copy: copy)
        }
    }

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
