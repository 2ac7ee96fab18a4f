package import DiaryCore
import FoundationEssentials
import WireFormats

/// Speech recognition by a program that the operator names, in the sandbox: without network, with the job's folder, `/usr`, the program's
/// own folder and the files that its arguments name. It writes whisper.cpp's JSON to standard output.
package struct CommandSpeechEngine: SpeechEngine {
    package var languages: SpeechLanguages { .all }
    let settings: EngineSettings
    let sandbox: Sandbox
    let decoder: AudioDecoder
    /// A program that got less of the processors that its threads can use was held up by the machine. Beside one other it gets a half.
    var share = 0.25
    /// Tries that a busy machine may cost before the recording takes too long for this engine: a program can be wrong about its threads, or
    /// wait for something that never comes.
    private static let mostBusyTries = 2

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
        let mayBeBusy = request.failedTries < Self.mostBusyTries
        let output = try await run(command, in: decoded.file.folder, recording.durationSeconds, mayBeBusy: mayBeBusy)
        let seconds = recording.durationSeconds
        guard let heard = CommandReply.read(output, seconds: seconds), heard.isSpeakable(in: seconds) else {
            throw SpeechCommandFailure.malformed
        }
        return heard.withoutSilence().answer(asked: request.language, request, seconds: seconds)
    }

    private func run(
        _ command: SpeechCommand, in folder: String, _ audioSeconds: Double, mayBeBusy: Bool
    ) async throws(ProviderFailure) -> [UInt8] {
        let limit = settings.timeLimit(audioSeconds: audioSeconds)
        let seconds = Int(exactly: min(max(1, limit), 86_400).rounded(.up)) ?? 86_400
        let cores = max(1, ProcessInfo.processInfo.processorCount)
        let meter = ChildMeter()
        let child = ChildProcess(
            program: command.program, arguments: command.arguments, folder: folder, readable: command.readable,
            limits: ChildLimits(
                // All cores may be busy for all of the time.
                cpuSeconds: seconds * cores, wallSeconds: Double(seconds),
                // A model of several GiB is mapped as a whole, and some runtimes reserve much more.
                addressSpace: 256 << 30, fileSize: 256 << 20, openFiles: 256),
            priority: .command, meter: meter)
        let outcome: ChildOutcome
        do {
            outcome = try await child.run(in: sandbox)
        } catch {
            let hadItsShare = meter.reading?.isShare(share, ofCores: cores, wallSeconds: Double(seconds)) ?? false
            throw SpeechCommandFailure.classify(error, isBusy: mayBeBusy && !hadItsShare)
        }
        guard outcome.isSuccess else { throw SpeechCommandFailure.classify(outcome.ending) }
        return outcome.standardOutput
    }
}

/// Reads the JSON of whisper.cpp (`-oj`, `-ojf`): times in milliseconds, tokens with a probability.
enum CommandReply {
    /// - Parameter output: bytes that are no UTF-8 are replaced: a token may be a part of a character.
    /// - Returns: nil for anything else.
    static func read(_ output: [UInt8], seconds: Double) -> HeardSpeech? {
        let text = Array(String(decoding: output, as: UTF8.self).utf8)
        guard let answer = LenientJSON.value(text)?.object, let entries = answer["transcription"]?.array else { return nil }
        var segments: [HeardSegment] = []
        for entry in entries {
            guard let object = entry.object, let text = object["text"]?.string else { continue }
            let offsets = object["offsets"]?.object
            let tokens = (object["tokens"]?.array ?? []).compactMap { $0.object.flatMap(token) }
            segments.append(
                HeardSegment(
                    text: text, start: milliseconds(offsets?["from"]), end: milliseconds(offsets?["to"]),
                    speaker: TranscriptionReply.speaker(object["speaker"]?.string), words: tokens))
        }
        guard entries.isEmpty || !segments.isEmpty else { return nil }
        return HeardSpeech(
            language: answer["result"]?.object?["language"]?.string.flatMap(WhisperLanguages.tag), segments: segments,
            use: EngineUse(audioSeconds: seconds), model: model(answer["model"]?.object?["type"]?.string))
    }

    /// Tokens such as `[_BEG_]` and `[_TT_150]` are marks.
    private static func token(_ object: JSONObject) -> HeardWord? {
        guard let text = object["text"]?.string, !text.hasPrefix("[_"), let offsets = object["offsets"]?.object,
            let start = milliseconds(offsets["from"]), let end = milliseconds(offsets["to"])
        else { return nil }
        return HeardWord(text: text, start: start, end: end, confidence: object["p"]?.double)
    }

    private static func milliseconds(_ value: JSONValue?) -> Double? { value?.double.map { $0 / 1000 } }

    /// Whisper's size, e.g. `base`.
    private static func model(_ type: String?) -> String? {
        guard let type, (1...40).contains(type.utf8.count), type.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else { return nil }
        return type
    }
}
