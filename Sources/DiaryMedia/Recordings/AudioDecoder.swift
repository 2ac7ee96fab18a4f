import DiaryCore
import FoundationEssentials
import SystemPackage

/// Decodes the first audio track to 16 kHz mono signed 16-bit WAV, the input of speech recognisers.
struct AudioDecoder: Sendable {
    let sandbox: Sandbox
    let limits: RecordingLimits

    /// - Parameter durationSeconds: what the probe measured; the time allowed grows with it.
    /// - Returns: the decoded file, in the same folder, named `<name>.16k.wav`.
    func decode(_ file: JobFile, contentType: String, durationSeconds: Double) async throws(ProviderFailure) -> DecodedRecording {
        guard let format = MediaFormat(contentType: contentType), let decoded = JobFile("\(file.path).16k.wav", in: file.folder) else {
            throw ProviderFailure(.permanent, code: .mediaUnsupported, cause: "the content type is not one of the supported")
        }
        guard durationSeconds >= 0, durationSeconds <= limits.duration else {
            throw ProviderFailure(.permanent, code: .mediaTooLong, cause: "longer than the limit")
        }
        let bytes = limits.decodedBytes
        let arguments =
            ["-hide_banner", "-loglevel", "error", "-nostdin", "-y"] + format.inputOptions
            + ["-threads", "1", "-codec_whitelist", MediaFormat.decoders, "-vn", "-sn", "-dn", "-i", file.url(in: sandbox)]
            + ["-map", "0:a:0", "-map_metadata", "-1", "-map_chapters", "-1", "-fflags", "+bitexact", "-flags:a", "+bitexact"]
            + ["-ac", "1", "-ar", "16000", "-c:a", "pcm_s16le", "-threads", "1", "-t", "\(limits.duration)", "-fs", "\(bytes)"]
            + ["-f", "wav", decoded.url(in: sandbox)]
        // Measured: AAC decodes at more than 100 × real time on one slow core.
        let wall = 25 + durationSeconds / 10
        let child = ChildProcess(
            program: "ffmpeg", arguments: arguments, folder: file.folder,
            limits: ChildLimits(
                cpuSeconds: Int(wall * 0.8), wallSeconds: wall, addressSpace: RecordingLimits.addressSpace, fileSize: bytes + (1 << 20),
                output: 1 << 16),
            niceness: 5)

        let outcome: ChildOutcome
        do {
            outcome = try await child.run(in: sandbox)
        } catch {
            throw FFmpegFailure.classify(error)
        }
        let size = Self.size(of: decoded.path)
        // An unreadable input fails before the first sample; a later failure is most likely a full disk.
        if !outcome.isSuccess, size > DecodedRecording.header, outcome.ending == .exited(1) {
            throw ProviderFailure(.retry, code: .storageUnavailable, cause: "decoding stopped in the middle")
        }
        guard outcome.isSuccess else { throw FFmpegFailure.classify(outcome.ending) }
        guard size > DecodedRecording.header else {
            throw ProviderFailure(.permanent, code: .mediaUnreadable, cause: "nothing to decode")
        }
        return DecodedRecording(file: decoded, durationSeconds: Double(size - DecodedRecording.header) / 32_000)
    }

    /// 0 for a missing file. Without FileManager, because the type of its `.size` depends on whether Foundation is linked.
    private static func size(of path: String) -> Int {
        guard let file = try? FileDescriptor.open(FilePath(path), .readOnly) else { return 0 }
        let end = (try? file.seek(offset: 0, from: .end)) ?? 0
        try? file.close()
        return Int(clamping: end)
    }
}

struct DecodedRecording: Sendable {
    /// Bytes of a RIFF header without extra chunks.
    static let header = 44

    var file: JobFile
    var durationSeconds: Double
}
