import DiaryCore

/// The command lines of ffprobe and ffmpeg; no other file makes one. Each names the demuxer, the only protocol, and the only decoders that
/// may be opened.
struct FFmpegCommand: Sendable {
    let program: String
    let arguments: [String]

    /// Facts that the headers state, as JSON. Decodes some packets where the headers have no sample rate.
    static func headers(_ source: SoundSource, in sandbox: Sandbox) -> FFmpegCommand {
        FFmpegCommand(
            program: "ffprobe",
            arguments: quiet + input(source, sandbox, named: ["-i"]) + ["-show_entries", FFprobeReport.entries, "-of", "json"])
    }

    /// Codec and sample rate of the audio tracks, in the comments of ffmpeg's `framehash` format. Opens no decoder for the other tracks, where
    /// ffprobe opens one for each or fails.
    static func firstPackets(_ source: SoundSource, in sandbox: Sandbox) -> FFmpegCommand {
        FFmpegCommand(
            program: "ffmpeg",
            arguments: quiet + ["-nostdin"] + input(source, sandbox)
                + ["-map", "0:a", "-copy_unknown", "-c", "copy", "-frames:a", "1", "-f", "framehash", "-hash", "CRC32", "pipe:1"])
    }

    /// Reads every packet and decodes none; the last `out_time_us` is the length.
    /// - Parameter seconds: where to stop.
    static func packets(_ source: SoundSource, in sandbox: Sandbox, atMost seconds: Double) -> FFmpegCommand {
        FFmpegCommand(
            program: "ffmpeg",
            arguments: quiet + ["-nostdin"] + input(source, sandbox) + track(source)
                + ["-c", "copy", "-t", "\(seconds)", "-progress", "pipe:1", "-stats_period", "60", "-f", "null", "-"])
    }

    /// 16 kHz mono signed 16-bit WAV. Holes in the packets' times become silence, as in `rendering`: seconds are the recording's own.
    /// - Parameters:
    ///   - seconds: where to stop.
    ///   - bytes: the largest file.
    static func decoding(
        _ source: SoundSource, to decoded: JobFile, in sandbox: Sandbox, atMost seconds: Double, bytes: Int
    ) -> FFmpegCommand {
        FFmpegCommand(
            program: "ffmpeg",
            arguments: quiet + ["-nostdin", "-y"] + input(source, sandbox) + track(source)
                + ["-map_metadata", "-1", "-map_chapters", "-1", "-fflags", "+bitexact", "-flags:a", "+bitexact"]
                + (alignment(source).map { ["-af", "aresample=\($0)"] } ?? []) + [
                    "-ac", "1", "-ar", "16000", "-c:a", "pcm_s16le", "-threads", "1", "-t", "\(seconds)", "-fs", "\(bytes)",
                ]
                + ["-f", "wav", decoded.url(in: sandbox)])
    }

    /// The whole sound as 16 kHz signed 16-bit samples on standard output, of `measured` channels, and, in the same pass, as AAC in MP4. Holes in
    /// the packets' times become silence in both. The table of frames comes first, so that players begin before they have the whole.
    /// - Parameters:
    ///   - copy: nil without one.
    ///   - seconds: where to stop.
    static func rendering(
        _ source: SoundSource, measured: Int, copy: (file: JobFile, format: CopyFormat)?, in sandbox: Sandbox, atMost seconds: Double
    ) -> FFmpegCommand {
        let samples = ["-ar", "16000", "-c:a", "pcm_s16le", "-threads", "1", "-t", "\(seconds)", "-f", "s16le", "pipe:1"]
        let start = quiet + ["-nostdin", "-y"] + input(source, sandbox)
        let rate = copy?.format.sampleRate ?? 16_000
        let aligned = "aresample=\(rate)\(alignment(source).map { ":\($0)" } ?? "")"
        // One filter for both: each would hold the silence of a long hole in memory.
        let layout = channels(measured > 2 ? source.channels : measured, mix: source.mix, of: source.channels)
        let count = max(1, source.sections.count)
        var graph = (0..<count).map { "[\($0):a:\(source.track)]\(aligned),\(layout)" }
        graph = count == 1 ? graph : graph.enumerated().map { "\($1)[s\($0)]" }
        let joined =
            count == 1
            ? (graph.first ?? "")
            : graph.joined(separator: ";") + ";" + (0..<count).map { "[s\($0)]" }.joined() + "concat=n=\(count):v=0:a=1"
        guard let copy else {
            return FFmpegCommand(
                program: "ffmpeg",
                arguments: start + ["-filter_complex_threads", "1", "-filter_complex", joined + "[measured]", "-map", "[measured]"]
                    + samples)
        }
        let copied = copy.format.channels == 1 ? "mono" : "stereo"
        let filters = "\(joined),asplit=2[all][measured];[all]aformat=channel_layouts=\(copied)[copy]"
        return FFmpegCommand(
            program: "ffmpeg",
            arguments: start + ["-filter_complex_threads", "1", "-filter_complex", filters, "-map", "[copy]"]
                + ["-map_metadata", "-1", "-map_chapters", "-1", "-fflags", "+bitexact", "-flags:a", "+bitexact"]
                // The default coder takes three times as long.
                + ["-c:a", "aac", "-aac_coder", "fast", "-b:a", "\(copy.format.bitRate)", "-threads", "1", "-t", "\(seconds)"]
                + ["-fs", "\(copy.format.bytes(seconds: seconds))", "-movflags", "+faststart", "-f", "ipod", copy.file.url(in: sandbox)]
                + ["-map", "[measured]"] + samples)
    }

    /// A fixed number of channels, whatever comes: recordings may change it on the way.
    private static func channels(_ wanted: Int, mix: ChannelMix?, of channels: Int) -> String {
        // One channel among two would lack the one that is taken, or be half of their difference: both are as they were measured.
        if let mix { return (channels == 2 ? "aformat=channel_layouts=stereo," : "") + mix.pan(channels) }
        switch wanted {
        // Without the limit two equal channels become one that is 3 dB louder, and cut off where it is loud.
        case 1: return "aresample=ochl=mono:rematrix_maxval=1"
        case 2: return "aformat=channel_layouts=stereo"
        default: return "pan=\(wanted)c|" + (0..<wanted).map { "c\($0)=c\($0)" }.joined(separator: "|")
        }
    }

    /// A stretch of a decoded recording as mono Opus in Ogg, at a constant 24 kbit/s: 3,100 bytes a second with Ogg's headers. `audio` and
    /// the lowest complexity: as good to a recogniser as `voip` and the highest, which alters tones and takes 15 times as long.
    /// - Parameter bytes: the largest file.
    static func encoding(
        _ file: JobFile, to encoded: JobFile, in sandbox: Sandbox, from start: Double, seconds: Double, bytes: Int
    ) -> FFmpegCommand {
        let source = SoundSource(file, .wav)
        return FFmpegCommand(
            program: "ffmpeg",
            arguments: quiet + ["-nostdin", "-y", "-ss", "\(start)", "-t", "\(seconds)"] + input(source, sandbox) + track(source)
                + ["-map_metadata", "-1", "-map_chapters", "-1", "-fflags", "+bitexact", "-flags:a", "+bitexact"]
                + [
                    "-ac", "1", "-ar", "16000", "-c:a", "libopus", "-b:a", "24k", "-vbr", "off", "-application", "audio",
                    "-compression_level", "0",
                ]
                + ["-threads", "1", "-fs", "\(bytes)", "-f", "ogg", encoded.url(in: sandbox)])
    }

    /// Holes in the packets' times become silence. MP3, ADTS and AMR have no times: where their rate or channels change, ffmpeg would put silence
    /// before the rest, and cut as much from it.
    private static func alignment(_ source: SoundSource) -> String? {
        guard source.format.statesLength else { return nil }
        switch source.alignment {
        case .start: return "async=1:first_pts=0"
        case .holes: return "async=1"
        case .none: return nil
        }
    }

    private static let quiet = ["-hide_banner", "-loglevel", "quiet"]

    private static func track(_ source: SoundSource) -> [String] { ["-map", "0:a:\(source.track)"] }

    /// - Parameter named: the last options; ffprobe has none of those that skip tracks.
    private static func input(
        _ source: SoundSource, _ sandbox: Sandbox, named last: [String] = ["-threads", "1", "-vn", "-sn", "-dn", "-i"]
    ) -> [String] {
        let length = source.ignoresLength ? ["-ignore_length", "1"] : []
        return source.urls(in: sandbox).flatMap { source.format.inputOptions(isPart: !source.sections.isEmpty) + length + last + [$0] }
    }
}

/// Separates faults of the recording, which are permanent, from temporary ones (A10).
enum FFmpegFailure {
    static func classify(_ failure: ChildFailure) -> ProviderFailure {
        switch failure {
        case .programMissing: ProviderFailure(.configuration, code: .unexpected, cause: "ffmpeg is not installed")
        case .notStarted, .notSpawned: .outage(code: .storageUnavailable, cause: "the sandbox did not start")
        // Costly content meets the limit on processor time first (`TimeBudget`).
        case .timedOut: ProviderFailure(.retry, code: .unexpected, cause: "the machine was busy: out of wall-clock time")
        case .outputTooLarge: ProviderFailure(.permanent, code: .mediaLimits, cause: "the report of the probe is too large")
        case .cancelled: ProviderFailure(.retry, code: .unexpected, cause: "cancelled")
        }
    }

    static func classify(_ ending: ChildOutcome.Ending) -> ProviderFailure {
        switch ending {
        // SIGXCPU, SIGXFSZ; ffmpeg catches SIGXCPU and exits with 255, or with 123 after the fourth.
        case .signaled(24), .signaled(25), .exited(255), .exited(123):
            ProviderFailure(.permanent, code: .mediaLimits, cause: "over the limit of processor time or file size")
        // SIGKILL that this service did not send: the kernel was short of memory.
        case .signaled(9): ProviderFailure(.retry, code: .unexpected, cause: "killed")
        // ENOSPC: since 6.1 ffmpeg exits with the lowest byte of the negative error number. The tries count, as for what a decoder returns.
        case .exited(228): ProviderFailure(.retry, code: .unexpected, cause: "the machine's disk was full")
        // SIGABRT, SIGSEGV, SIGILL …: the recording broke the decoder.
        case .signaled: ProviderFailure(.permanent, code: .mediaUnreadable, cause: "the decoder crashed")
        case .exited: ProviderFailure(.permanent, code: .mediaUnreadable, cause: "not readable as the declared type")
        }
    }
}
