import DiaryCore

/// Looks for pauses in a decoded recording and writes stretches of it for an engine, in the job's folder. Holds a minute of sound in memory
/// at most.
struct RecordingCutter: Sendable {
    let sandbox: Sandbox
    let sound: DecodedRecording
    /// The recording's file.
    let file: JobFile
    /// Seconds, as the probe measured them.
    let total: Double

    /// Decodes the recording, once for all its parts.
    /// - Returns: the caller removes `sound`.
    static func open(
        _ recording: VerifiedRecording, sandbox: Sandbox, limits: RecordingLimits
    ) async throws(ProviderFailure) -> RecordingCutter {
        guard let file = JobFile(recording.path, in: recording.folder) else {
            throw ProviderFailure(.permanent, code: .unexpected, cause: "the recording is not in the job's folder")
        }
        let sound = try await AudioDecoder(sandbox: sandbox, limits: limits)
            .decode(file, contentType: recording.contentType, durationSeconds: recording.durationSeconds)
        return RecordingCutter(sandbox: sandbox, sound: sound, file: file, total: recording.durationSeconds)
    }

    /// - Returns: seconds from the recording's start, in whole milliseconds; nil when nothing in the window is a pause.
    func pause(in window: ClosedRange<Double>) -> Double? {
        let samples = sound.samples(from: window.lowerBound, to: window.upperBound)
        return QuietMoment.find(samples).map { ((window.lowerBound + $0) * 1_000).rounded() / 1_000 }
    }

    /// Writes a stretch, for an engine.
    /// - Returns: the file, in the job's folder; the caller deletes it. A part of the same folder is overwritten.
    func part(from start: Double, to end: Double, as format: SpeechPartFormat) async throws(ProviderFailure) -> VerifiedRecording {
        switch format {
        case .wav:
            let part = try named("part.wav")
            guard sound.write(from: start, to: end, as: part) else {
                throw ProviderFailure(.retry, code: .storageUnavailable, cause: "a part of the recording could not be written")
            }
            return VerifiedRecording(path: part.path, folder: file.folder, contentType: "audio/wav", durationSeconds: end - start)
        case .opus: return try await encode(from: start, to: end)
        }
    }

    private func encode(from start: Double, to end: Double) async throws(ProviderFailure) -> VerifiedRecording {
        let encoded = try named("part.ogg")
        let seconds = end - start
        let bytes = Int(exactly: (PartLengths.headerBytes + seconds * PartLengths.bytesPerSecond).rounded(.up)) ?? 0
        let command = FFmpegCommand.encoding(sound.file, to: encoded, in: sandbox, from: start, seconds: seconds, bytes: bytes)
        let child = ChildProcess(
            program: command.program, arguments: command.arguments, folder: file.folder,
            limits: ChildLimits(
                .encoding(seconds: seconds), addressSpace: RecordingLimits.addressSpace, fileSize: bytes + (1 << 20), output: 1 << 16),
            priority: .recognition)
        let outcome: ChildOutcome
        do {
            outcome = try await child.run(in: sandbox)
        } catch {
            throw FFmpegFailure.classify(error)
        }
        if !outcome.isSuccess, outcome.ending == .exited(1), JobSpace.isFull(file.folder) {
            throw ProviderFailure(.retry, code: .storageUnavailable, cause: "no space for a part of the recording")
        }
        guard outcome.isSuccess else { throw FFmpegFailure.classify(outcome.ending) }
        return VerifiedRecording(path: encoded.path, folder: file.folder, contentType: "audio/ogg", durationSeconds: seconds)
    }

    private func named(_ suffix: String) throws(ProviderFailure) -> JobFile {
        guard let part = JobFile("\(file.path).\(suffix)", in: file.folder) else {
            throw ProviderFailure(.permanent, code: .unexpected, cause: "the recording is not in the job's folder")
        }
        return part
    }
}

/// How long the parts of a recording may be, and where each is best cut. Seconds.
struct PartLengths: Sendable, Equatable {
    /// The longest that a part may be.
    let longest: Double

    /// Bytes of a second as `FFmpegCommand.encoding` writes it. Measured: 3,078.
    static let bytesPerSecond = 3_100.0
    /// Upper bound of Ogg's first pages.
    static let headerBytes = 4_096.0

    /// nil: the engine takes recordings of any length.
    init?(_ settings: EngineSettings) {
        guard settings.maxBytes != nil || settings.maxSeconds != nil else { return nil }
        let bySize = settings.maxBytes.map { (Double($0) - Self.headerBytes) / Self.bytesPerSecond } ?? .infinity
        let byTime = settings.maxSeconds.map(Double.init) ?? .infinity
        // A limit below this is an operator's mistake.
        longest = max(5, min(bySize, byTime))
    }

    /// Where a part that begins at `start` may be cut: the stretch to look for a pause in. nil: it reaches to the recording's end.
    ///
    /// Parts become about equally long, because engines invent words in a last part of a second or two.
    func window(from start: Double, of total: Double) -> ClosedRange<Double>? {
        let rest = total - start
        guard rest > longest else { return nil }
        let even = rest / (rest / longest).rounded(.up)
        let earliest = start + even - min(45, longest * 0.35)
        return earliest...max(earliest, start + min(longest, even + min(15, longest * 0.1)))
    }

    /// What two parts have in common where no pause is found: enough for a few whole words.
    var overlap: Double { min(2, longest / 10) }
}
