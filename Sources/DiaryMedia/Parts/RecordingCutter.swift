import DiaryCore

/// Listens for pauses in a recording and encodes stretches of it, in the job's folder. Holds a minute of sound in memory at most.
struct RecordingCutter: Sendable {
    /// Of what `encode` makes.
    static let contentType = "audio/ogg"

    let sandbox: Sandbox
    let limits: RecordingLimits
    let file: JobFile
    let format: MediaFormat
    /// Seconds, as the probe measured them.
    let total: Double

    init(_ recording: VerifiedRecording, sandbox: Sandbox, limits: RecordingLimits) throws(ProviderFailure) {
        guard let format = MediaFormat(contentType: recording.contentType) else {
            throw ProviderFailure(.permanent, code: .mediaUnsupported, cause: "the content type is not one of the supported")
        }
        guard let file = JobFile(recording.path, in: recording.folder) else {
            throw ProviderFailure(.permanent, code: .unexpected, cause: "the recording is not in the job's folder")
        }
        guard recording.durationSeconds >= 0, recording.durationSeconds <= limits.duration else {
            throw ProviderFailure(.permanent, code: .mediaTooLong, cause: "longer than the limit")
        }
        self.sandbox = sandbox
        self.limits = limits
        self.file = file
        self.format = format
        total = recording.durationSeconds
    }

    /// - Returns: seconds from the recording's start, in whole milliseconds; nil when nothing in the window is a pause.
    func pause(in window: ClosedRange<Double>) async throws(ProviderFailure) -> Double? {
        let seconds = window.upperBound - window.lowerBound
        let command = FFmpegCommand.samples(file, format, in: sandbox, from: window.lowerBound, seconds: seconds)
        let samples = try await run(
            command,
            ChildLimits(
                .decoding(seconds: window.upperBound), addressSpace: RecordingLimits.addressSpace, fileSize: 1 << 20, output: 4 << 20))
        return QuietMoment.find(samples).map { ((window.lowerBound + $0) * 1_000).rounded() / 1_000 }
    }

    /// Encodes a stretch, for an engine.
    /// - Returns: the file, in the job's folder; the caller deletes it. A part of the same folder is overwritten.
    func encode(from start: Double, to end: Double) async throws(ProviderFailure) -> VerifiedRecording {
        guard let encoded = JobFile("\(file.path).part.ogg", in: file.folder) else {
            throw ProviderFailure(.permanent, code: .unexpected, cause: "the recording is not in the job's folder")
        }
        let seconds = end - start
        let bytes = Int(exactly: (PartLengths.headerBytes + seconds * PartLengths.bytesPerSecond).rounded(.up)) ?? 0
        let command = FFmpegCommand.encoding(file, format, to: encoded, in: sandbox, from: start, seconds: seconds, bytes: bytes)
        _ = try await run(
            command,
            ChildLimits(
                .encoding(seconds: seconds, to: end), addressSpace: RecordingLimits.addressSpace, fileSize: bytes + (1 << 20),
                output: 1 << 16))
        return VerifiedRecording(path: encoded.path, folder: file.folder, contentType: Self.contentType, durationSeconds: seconds)
    }

    private func run(_ command: FFmpegCommand, _ limits: ChildLimits) async throws(ProviderFailure) -> [UInt8] {
        let child = ChildProcess(
            program: command.program, arguments: command.arguments, folder: file.folder, limits: limits, priority: .recognition)
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
        return outcome.standardOutput
    }
}
