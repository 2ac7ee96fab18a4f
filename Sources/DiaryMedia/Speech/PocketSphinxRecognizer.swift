package import DiaryCore
import FoundationEssentials

/// The local engine: Debian's PocketSphinx (0.8+5prealpha), English only, about a quarter of real time on one core.
package struct PocketSphinxRecognizer: SpeechRecognizer {
    let sandbox: Sandbox
    let model: PocketSphinxModel
    let decoder: AudioDecoder

    package init(sandbox: Sandbox, model: PocketSphinxModel = PocketSphinxModel(), limits: RecordingLimits = RecordingLimits()) {
        self.sandbox = sandbox
        self.model = model
        decoder = AudioDecoder(sandbox: sandbox, limits: limits)
    }

    /// Does not probe again: demuxer and decoders are forced, and `AudioDecoder` bounds time and size whatever the container claims.
    /// - Parameter language: nil counts as English.
    package func transcribe(_ recording: VerifiedRecording, language: String?) async throws(ProviderFailure) -> RawTranscript {
        guard LanguageTag(language ?? "en").primary == "en" else {
            throw ProviderFailure(.permanent, code: .speechUnavailable, cause: "the local engine knows English only")
        }
        guard let file = JobFile(recording.path, in: recording.folder) else {
            throw ProviderFailure(.permanent, code: .unexpected, cause: "the recording is not in the job's folder")
        }
        let decoded = try await decoder.decode(file, contentType: recording.contentType, durationSeconds: recording.durationSeconds)
        // Plain speech is deleted as soon as it is not needed.
        defer { try? FileManager.default.removeItem(atPath: decoded.file.path) }
        let output = try await recognize(decoded)
        return RawTranscript(language: "en", segments: PocketSphinxOutput.segments(output))
    }

    private func recognize(_ recording: DecodedRecording) async throws(ProviderFailure) -> String {
        let wall = 60 + 10 * recording.durationSeconds
        let child = ChildProcess(
            program: "pocketsphinx_continuous",
            arguments: ["-infile", recording.file.path(in: sandbox), "-time", "yes", "-logfn", "/dev/null"] + model.arguments,
            folder: recording.file.folder,
            limits: ChildLimits(cpuSeconds: Int(wall), wallSeconds: wall, addressSpace: 2 << 30, fileSize: 1 << 20),
            niceness: 10)
        let outcome: ChildOutcome
        do {
            outcome = try await child.run(in: sandbox)
        } catch {
            throw classify(error)
        }
        switch outcome.ending {
        case .exited(0):
            return String(decoding: outcome.standardOutput, as: UTF8.self)
        case .signaled(24):
            throw ProviderFailure(.permanent, code: .speechTimeout, cause: "over the limit of processor time")
        case .signaled(9):
            throw ProviderFailure(.retry, code: .speechUnavailable, cause: "killed")
        case .signaled:
            throw ProviderFailure(.permanent, code: .speechUnavailable, cause: "the recogniser crashed")
        case .exited:
            // It exits with 1 when the model cannot be loaded; the input is a WAV file of AudioDecoder.
            throw ProviderFailure(.configuration, code: .speechUnavailable, cause: "the recogniser refused to start")
        }
    }

    private func classify(_ failure: ChildFailure) -> ProviderFailure {
        switch failure {
        case .programMissing: ProviderFailure(.configuration, code: .speechUnavailable, cause: "pocketsphinx is not installed")
        case .notStarted: ProviderFailure(.retry, code: .speechUnavailable, cause: "the sandbox did not start")
        case .timedOut: ProviderFailure(.retry, code: .speechTimeout, cause: "out of wall-clock time")
        case .outputTooLarge: ProviderFailure(.permanent, code: .mediaLimits, cause: "the transcript is too large")
        case .cancelled: ProviderFailure(.retry, code: .unexpected, cause: "cancelled")
        }
    }
}
