package import DiaryCore
import FoundationEssentials

/// Speech recognition by a program that the operator names, in the sandbox: without network, with the job's folder, `/usr`, the program's
/// own folder and the files that its arguments name. It writes whisper.cpp's JSON to standard output.
package struct CommandSpeechEngine: SpeechEngine {
    package var languages: SpeechLanguages { .all }
    let settings: EngineSettings
    let sandbox: Sandbox
    let decoder: AudioDecoder

    package init(_ settings: EngineSettings, sandbox: Sandbox, limits: RecordingLimits) {
        self.settings = settings
        self.sandbox = sandbox
        decoder = AudioDecoder(sandbox: sandbox, limits: limits)
    }

    package func transcribe(_ recording: VerifiedRecording, _ request: SpeechRequest) async throws(ProviderFailure) -> SpeechAnswer {
        guard let file = JobFile(recording.path, in: recording.folder) else {
            throw ProviderFailure(.permanent, code: .unexpected, cause: "the recording is not in the job's folder")
        }
        guard !settings.command.isEmpty else {
            throw ProviderFailure(.configuration, code: .speechUnavailable, cause: "the engine has no command")
        }
        let decoded = try await decoder.decode(file, contentType: recording.contentType, durationSeconds: recording.durationSeconds)
        // Plain speech is deleted as soon as it is not needed.
        defer { try? FileManager.default.removeItem(atPath: decoded.file.path) }
        guard let command = SpeechCommand(settings.command, file: decoded.file.path(in: sandbox), language: request.language) else {
            throw ProviderFailure(.configuration, code: .speechUnavailable, cause: "the program is not named by an absolute path")
        }
        let output = try await run(command, in: decoded.file.folder)
        guard let heard = CommandReply.read(output, seconds: recording.durationSeconds) else { throw SpeechCommandFailure.malformed }
        return heard.withoutSilence().answer(asked: request.language, request, seconds: recording.durationSeconds)
    }

    private func run(_ command: SpeechCommand, in folder: String) async throws(ProviderFailure) -> [UInt8] {
        let seconds = min(max(1, settings.timeoutSeconds), 86_400)
        let child = ChildProcess(
            program: command.program, arguments: command.arguments, folder: folder, readable: command.readable,
            limits: ChildLimits(
                // All cores may be busy for all of the time.
                cpuSeconds: seconds * max(1, ProcessInfo.processInfo.processorCount), wallSeconds: Double(seconds),
                // A model of several GiB is mapped as a whole, and some runtimes reserve much more.
                addressSpace: 256 << 30, fileSize: 256 << 20, openFiles: 256),
            priority: .command)
        let outcome: ChildOutcome
        do {
            outcome = try await child.run(in: sandbox)
        } catch {
            throw SpeechCommandFailure.classify(error)
        }
        guard outcome.isSuccess else { throw SpeechCommandFailure.classify(outcome.ending) }
        return outcome.standardOutput
    }
}
