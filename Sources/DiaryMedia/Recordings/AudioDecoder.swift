import DiaryCore

/// Decodes the first audio track to 16 kHz mono signed 16-bit WAV, the input of speech recognisers.
struct AudioDecoder: Sendable {
    let sandbox: Sandbox
    let limits: RecordingLimits

    /// - Parameter durationSeconds: what the probe found; the time allowed grows with it.
    /// - Returns: the decoded file, in the same folder, named `<name>.16k.wav`.
    func decode(_ file: JobFile, contentType: String, durationSeconds: Double) async throws(ProviderFailure) -> DecodedRecording {
        guard let format = MediaFormat(contentType: contentType), let decoded = JobFile("\(file.path).16k.wav", in: file.folder) else {
            throw ProviderFailure(.permanent, code: .mediaUnsupported, cause: "the content type is not one of the supported")
        }
        guard durationSeconds >= 0, durationSeconds <= limits.duration else {
            throw ProviderFailure(.permanent, code: .mediaTooLong, cause: "longer than the limit")
        }
        // Headers that state a second over hours of sound would get past the limits on length. Lengths are exact but in damaged files.
        let most = 2 * durationSeconds + 60
        let longest = min(limits.duration, most + 1)
        // Bounded by bytes too, because the times of packets may be false.
        let bytes = DecodedRecording.bytes(seconds: longest)
        let command = FFmpegCommand.decoding(SoundSource(file, format), to: decoded, in: sandbox, atMost: longest, bytes: bytes)
        let child = ChildProcess(
            program: command.program, arguments: command.arguments, folder: file.folder,
            limits: ChildLimits(
                .decoding(seconds: durationSeconds), addressSpace: RecordingLimits.addressSpace, fileSize: bytes + (1 << 20),
                output: 1 << 16),
            priority: .recognition)

        let outcome: ChildOutcome
        do {
            outcome = try await child.run(in: sandbox)
        } catch {
            throw FFmpegFailure.classify(error)
        }
        if !outcome.isSuccess, outcome.ending == .exited(1), JobSpace.isFull(file.folder) {
            throw ProviderFailure(.retry, code: .storageUnavailable, cause: "no space for the decoded recording")
        }
        guard outcome.isSuccess else { throw FFmpegFailure.classify(outcome.ending) }
        let size = decoded.size
        guard size > DecodedRecording.header else {
            throw ProviderFailure(.permanent, code: .mediaUnreadable, cause: "nothing to decode")
        }
        let seconds = Double(size - DecodedRecording.header) / 32_000
        guard seconds <= most else {
            throw ProviderFailure(.permanent, code: .mediaUnreadable, cause: "far longer than its stated length")
        }
        return DecodedRecording(file: decoded, durationSeconds: seconds)
    }
}
