package import DiaryCore
import FoundationEssentials

/// Examines a recording with ffprobe and ffmpeg, in the sandbox. Decodes nothing but some packets of a track whose headers lack facts.
package struct FFmpegProbe: MediaProbe {
    let sandbox: Sandbox
    var limits: RecordingLimits = RecordingLimits()

    package func inspect(_ path: String, contentType: String, folder: String) async throws(ProviderFailure) -> MediaFacts {
        guard let format = MediaFormat(contentType: contentType) else {
            throw ProviderFailure(.permanent, code: .mediaUnsupported, cause: "the content type is not one of the supported")
        }
        guard let file = JobFile(path, in: folder) else {
            throw ProviderFailure(.permanent, code: .unexpected, cause: "the recording is not in the job's folder")
        }
        let bytes = file.size
        let report = try await report(of: file, format, bytes)
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
        // Recordings made in a browser state none.
        let stated = format.statesLength ? report.duration : nil
        let duration: Double
        if let stated { duration = stated } else { duration = try await length(of: file, format, bytes) }
        guard duration <= limits.duration else {
            throw ProviderFailure(.permanent, code: .mediaTooLong, cause: "longer than the limit")
        }
        guard CodecFloor.holds(bytes, seconds: duration, codec: codec, sampleRate: sampleRate, channels: channels) else {
            throw ProviderFailure(.permanent, code: .mediaUnreadable, cause: "too few bytes for the length")
        }
        return MediaFacts(durationSeconds: duration, codec: codec, channels: channels, sampleRate: sampleRate)
    }

    private func report(of file: JobFile, _ format: MediaFormat, _ bytes: Int) async throws(ProviderFailure) -> FFprobeReport {
        let outcome = try await run(.headers(file, format, in: sandbox), file.folder, .headers(bytes: bytes))
        if outcome.ending == .exited(1) {
            // Unreadable, or it has a track whose decoder is not in the list: a picture, chapters, an unsupported codec.
            return try await reportOfFirstTrack(file, format, bytes)
        }
        guard outcome.isSuccess else { throw FFmpegFailure.classify(outcome.ending) }
        do {
            return try JSONDecoder().decode(FFprobeReport.self, from: Data(outcome.standardOutput))
        } catch {
            throw ProviderFailure(.permanent, code: .mediaUnreadable, cause: "the report of the probe does not parse")
        }
    }

    /// Without a duration.
    private func reportOfFirstTrack(_ file: JobFile, _ format: MediaFormat, _ bytes: Int) async throws(ProviderFailure) -> FFprobeReport {
        let outcome = try await run(.firstPacket(file, format, in: sandbox), file.folder, .headers(bytes: bytes))
        guard outcome.isSuccess else { throw FFmpegFailure.classify(outcome.ending) }
        return FFprobeReport(streams: FramehashReport.audio(outcome.standardOutput).map { [$0] })
    }

    /// Seconds, from the times of all packets.
    private func length(of file: JobFile, _ format: MediaFormat, _ bytes: Int) async throws(ProviderFailure) -> Double {
        let command = FFmpegCommand.packets(file, format, in: sandbox, atMost: limits.duration + 1)
        let outcome = try await run(command, file.folder, .packets(bytes: bytes))
        guard outcome.isSuccess else { throw FFmpegFailure.classify(outcome.ending) }
        let lines = String(decoding: outcome.standardOutput, as: UTF8.self).split(separator: "\n")
        let times = lines.compactMap { line in line.hasPrefix("out_time_us=") ? Double(line.dropFirst(12)) : nil }
        guard let last = times.last, last.isFinite, last > 0 else {
            throw ProviderFailure(.permanent, code: .mediaUnreadable, cause: "no packets")
        }
        return last / 1_000_000
    }

    func run(_ command: FFmpegCommand, _ folder: String, _ time: TimeBudget) async throws(ProviderFailure) -> ChildOutcome {
        let child = ChildProcess(
            program: command.program, arguments: command.arguments, folder: folder,
            limits: ChildLimits(time, addressSpace: RecordingLimits.addressSpace, fileSize: 1 << 20, output: 1 << 20))
        do {
            return try await child.run(in: sandbox)
        } catch {
            throw FFmpegFailure.classify(error)
        }
    }
}
