package import DiaryCore
import FoundationEssentials

/// The local engine: Debian's PocketSphinx (0.8+5prealpha), English only, about a quarter of real time on one core.
package struct PocketSphinxRecognizer: SpeechEngine {
    package static let languages = SpeechLanguages(["en"])

    package var languages: SpeechLanguages { Self.languages }
    let sandbox: Sandbox
    let model: PocketSphinxModel
    let decoder: AudioDecoder

    package init(sandbox: Sandbox, model: PocketSphinxModel = PocketSphinxModel(), limits: RecordingLimits = RecordingLimits()) {
        self.sandbox = sandbox
        self.model = model
        decoder = AudioDecoder(sandbox: sandbox, limits: limits)
    }

    /// Does not probe again: demuxer and decoders are forced, and `AudioDecoder` bounds time and size whatever the container claims.
    /// No language counts as English.
    package func transcribe(_ recording: VerifiedRecording, _ request: SpeechRequest) async throws(ProviderFailure) -> SpeechAnswer {
        guard Self.languages.choose(entry: request.language, profile: []) != .unsupported else {
            throw ProviderFailure(.permanent, code: .languageUnsupported, cause: "the local engine knows English only")
        }
        guard let file = JobFile(recording.path, in: recording.folder) else {
            throw ProviderFailure(.permanent, code: .unexpected, cause: "the recording is not in the job's folder")
        }
        let decoded = try await decoder.decode(file, contentType: recording.contentType, durationSeconds: recording.durationSeconds)
        // Plain speech is deleted as soon as it is not needed.
        defer { try? FileManager.default.removeItem(atPath: decoded.file.path) }
        let output = try await recognize(decoded)
        return SpeechAnswer(
            RawTranscript(language: "en", segments: PocketSphinxOutput.segments(output)),
            use: EngineUse(audioSeconds: recording.durationSeconds))
    }

    private func recognize(_ recording: DecodedRecording) async throws(ProviderFailure) -> String {
        let child = ChildProcess(
            program: "pocketsphinx_continuous",
            arguments: ["-infile", recording.file.path(in: sandbox), "-time", "yes", "-logfn", "/dev/null"] + model.arguments,
            folder: recording.file.folder,
            limits: ChildLimits(.recognition(seconds: recording.durationSeconds), addressSpace: 2 << 30, fileSize: 1 << 20),
            priority: .recognition)
        let outcome: ChildOutcome
        do {
            outcome = try await child.run(in: sandbox)
        } catch {
            throw PocketSphinxFailure.classify(error)
        }
        guard outcome.isSuccess else { throw PocketSphinxFailure.classify(outcome.ending) }
        return String(decoding: outcome.standardOutput, as: UTF8.self)
    }
}
