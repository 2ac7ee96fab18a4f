/// The command lines of ffprobe and ffmpeg; no other file makes one. Each names the demuxer, the only protocol, and the only decoders that
/// may be opened.
struct FFmpegCommand: Sendable {
    let program: String
    let arguments: [String]

    /// Facts that the headers state, as JSON. Decodes some packets where the headers have no sample rate.
    static func headers(_ file: JobFile, _ format: MediaFormat, in sandbox: Sandbox) -> FFmpegCommand {
        FFmpegCommand(
            program: "ffprobe",
            arguments: quiet + input(file, format, sandbox, named: ["-i"]) + ["-show_entries", FFprobeReport.entries, "-of", "json"])
    }

    /// Codec and sample rate of the first audio track, in the comments of ffmpeg's `framehash` format. Opens no decoder for the other tracks,
    /// where ffprobe opens one for each or fails.
    static func firstPacket(_ file: JobFile, _ format: MediaFormat, in sandbox: Sandbox) -> FFmpegCommand {
        FFmpegCommand(
            program: "ffmpeg",
            arguments: quiet + ["-nostdin"] + input(file, format, sandbox) + audio
                + ["-c", "copy", "-frames:a", "1", "-f", "framehash", "-hash", "CRC32", "pipe:1"])
    }

    /// Reads every packet and decodes none; the last `out_time_us` is the length.
    /// - Parameter seconds: where to stop.
    static func packets(_ file: JobFile, _ format: MediaFormat, in sandbox: Sandbox, atMost seconds: Double) -> FFmpegCommand {
        FFmpegCommand(
            program: "ffmpeg",
            arguments: quiet + ["-nostdin"] + input(file, format, sandbox) + audio
                + ["-c", "copy", "-t", "\(seconds)", "-progress", "pipe:1", "-stats_period", "60", "-f", "null", "-"])
    }

    /// 16 kHz mono signed 16-bit WAV.
    /// - Parameters:
    ///   - seconds: where to stop.
    ///   - bytes: the largest file.
    static func decoding(
        _ file: JobFile, _ format: MediaFormat, to decoded: JobFile, in sandbox: Sandbox, atMost seconds: Double, bytes: Int
    ) -> FFmpegCommand {
        FFmpegCommand(
            program: "ffmpeg",
            arguments: quiet + ["-nostdin", "-y"] + input(file, format, sandbox) + audio
                + ["-map_metadata", "-1", "-map_chapters", "-1", "-fflags", "+bitexact", "-flags:a", "+bitexact"]
                + ["-ac", "1", "-ar", "16000", "-c:a", "pcm_s16le", "-threads", "1", "-t", "\(seconds)", "-fs", "\(bytes)"]
                + ["-f", "wav", decoded.url(in: sandbox)])
    }

    private static let quiet = ["-hide_banner", "-loglevel", "quiet"]
    private static let audio = ["-map", "0:a:0"]

    /// - Parameter named: the last options; ffprobe has none of those that skip tracks.
    private static func input(
        _ file: JobFile, _ format: MediaFormat, _ sandbox: Sandbox, named last: [String] = ["-threads", "1", "-vn", "-sn", "-dn", "-i"]
    ) -> [String] {
        format.inputOptions + last + [file.url(in: sandbox)]
    }
}
