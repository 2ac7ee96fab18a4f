package import DiaryCore
import FoundationEssentials

/// Examines a recording with ffprobe, in the sandbox.
package struct FFmpegProbe: MediaProbe {
    let sandbox: Sandbox
    let limits: RecordingLimits

    package init(sandbox: Sandbox, limits: RecordingLimits = RecordingLimits()) {
        self.sandbox = sandbox
        self.limits = limits
    }

    package func inspect(_ path: String, contentType: String, folder: String) async throws(ProviderFailure) -> MediaFacts {
        guard let format = MediaFormat(contentType: contentType) else {
            throw ProviderFailure(.permanent, code: .mediaUnsupported, cause: "the content type is not one of the supported")
        }
        guard let file = JobFile(path, in: folder) else {
            throw ProviderFailure(.permanent, code: .unexpected, cause: "the recording is not in the job's folder")
        }
        let report = try await report(of: file, format: format)
        guard let audio = report.audio, let codec = audio.codec_name else {
            throw ProviderFailure(.permanent, code: .mediaUnreadable, cause: "no audio track")
        }
        guard MediaFormat.isSupported(codec: codec) else {
            throw ProviderFailure(.permanent, code: .mediaUnsupported, cause: "the codec is not one of the supported")
        }
        let channels = audio.channels ?? 0
        let sampleRate = audio.sample_rate.flatMap { Int($0) } ?? 0
        guard (1...8).contains(channels), (4_000...384_000).contains(sampleRate) else {
            throw ProviderFailure(.permanent, code: .mediaUnreadable, cause: "impossible channels or sample rate")
        }
        // Recordings made in a browser carry no duration.
        let duration: Double
        if let claimed = report.duration {
            duration = claimed
        } else {
            duration = try await measure(file, format: format)
        }
        guard duration <= limits.duration else {
            throw ProviderFailure(.permanent, code: .mediaTooLong, cause: "longer than the limit")
        }
        return MediaFacts(durationSeconds: duration, codec: codec, channels: channels, sampleRate: sampleRate)
    }

    private func report(of file: JobFile, format: MediaFormat) async throws(ProviderFailure) -> FFprobeReport {
        let arguments =
            ["-hide_banner", "-loglevel", "quiet"] + format.inputOptions
            + ["-show_entries", FFprobeReport.entries, "-of", "json", "-i", file.url(in: sandbox)]
        let outcome = try await run("ffprobe", arguments, file.folder)
        guard outcome.isSuccess else { throw FFmpegFailure.classify(outcome.ending) }
        do {
            return try JSONDecoder().decode(FFprobeReport.self, from: Data(outcome.standardOutput))
        } catch {
            throw ProviderFailure(.permanent, code: .mediaUnreadable, cause: "the report of the probe does not parse")
        }
    }

    /// Decodes without output and reads the time of the last packet.
    private func measure(_ file: JobFile, format: MediaFormat) async throws(ProviderFailure) -> Double {
        let arguments =
            ["-hide_banner", "-loglevel", "quiet", "-nostdin"] + format.inputOptions
            + ["-threads", "1", "-codec_whitelist", MediaFormat.decoders, "-vn", "-sn", "-dn", "-i", file.url(in: sandbox)]
            + ["-map", "0:a:0", "-t", "\(limits.duration + 1)", "-progress", "pipe:1", "-stats_period", "60", "-f", "null", "-"]
        let outcome = try await run("ffmpeg", arguments, file.folder)
        guard outcome.isSuccess else { throw FFmpegFailure.classify(outcome.ending) }
        let lines = String(decoding: outcome.standardOutput, as: UTF8.self).split(separator: "\n")
        let times = lines.compactMap { line in line.hasPrefix("out_time_us=") ? Double(line.dropFirst(12)) : nil }
        guard let last = times.last, last.isFinite, last > 0 else {
            throw ProviderFailure(.permanent, code: .mediaUnreadable, cause: "nothing to decode")
        }
        return last / 1_000_000
    }

    private func run(_ program: String, _ arguments: [String], _ folder: String) async throws(ProviderFailure) -> ChildOutcome {
        let wall = limits.probeSeconds
        let child = ChildProcess(
            program: program, arguments: arguments, folder: folder,
            limits: ChildLimits(
                cpuSeconds: Int(max(1, min(wall, 3600) * 0.8)), wallSeconds: wall, addressSpace: RecordingLimits.addressSpace,
                fileSize: 1 << 20,
                output: 1 << 20))
        do {
            return try await child.run(in: sandbox)
        } catch {
            throw FFmpegFailure.classify(error)
        }
    }
}
