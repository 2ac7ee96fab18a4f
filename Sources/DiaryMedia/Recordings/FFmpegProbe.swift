import BlockingCalls
package import DiaryCore
import FoundationEssentials

/// Examines a recording with ffprobe and ffmpeg, in the sandbox. Decodes nothing but some packets of a track whose headers lack facts.
package struct FFmpegProbe: MediaProbe {
    let sandbox: Sandbox
    let limits: RecordingLimits
    /// Looks into files, off the cooperative pool (decision D5).
    private let files = BlockingPool(threads: 1)

    /// Call it at start: a thread that the system refuses ends the process.
    package init(sandbox: Sandbox, limits: RecordingLimits = RecordingLimits()) {
        self.sandbox = sandbox
        self.limits = limits
    }

    package func inspect(
        _ path: String, contentType: String, folder: String, isMeasured: Bool
    ) async throws(ProviderFailure) -> MediaFacts {
        guard let declared = MediaFormat(contentType: contentType) else {
            throw ProviderFailure(.permanent, code: .mediaUnsupported, cause: "the content type is not one of the supported")
        }
        guard let file = JobFile(path, in: folder) else {
            throw ProviderFailure(.permanent, code: .unexpected, cause: "the recording is not in the job's folder")
        }
        let found = await files.run { FileLook(file, declared) }
        guard !found.isForeign else {
            throw ProviderFailure(
                .permanent, code: .contentTypeMismatch, cause: "another container than was declared, and none that is taken")
        }
        do throws(ProviderFailure) { return try await inspect(file, found, declared, isMeasured: isMeasured) } catch {
            guard error.code == .mediaUnreadable, found.format.type.container != declared.type.container else { throw error }
            throw ProviderFailure(
                .permanent, code: .contentTypeMismatch, cause: "\(found.format.demuxer), and not \(declared.demuxer), and not readable")
        }
    }

    private func inspect(
        _ file: JobFile, _ found: FileLook, _ declared: MediaFormat, isMeasured: Bool
    ) async throws(ProviderFailure) -> MediaFacts {
        var source = SoundSource(file, found.format)
        (source.sections, source.ignoresLength) = (found.sections, found.ignoresLength)
        let bytes = file.size
        let report = try await report(of: found.sections.first.map(source.section) ?? source, bytes)
        guard let audio = report.audio.first, let codec = audio.stream.codec_name else {
            let isThere = report.streams?.contains { $0.codec_type == "audio" } == true
            throw ProviderFailure(
                .permanent, code: isThere ? .mediaUnsupported : .mediaUnreadable,
                cause: isThere ? "no codec of the supported: \(report.codecs)" : "no audio track")
        }
        let channels = audio.stream.channels ?? 0
        let sampleRate = audio.stream.sample_rate.flatMap { Int($0) } ?? 0
        guard (1...8).contains(channels), (4_000...384_000).contains(sampleRate) else {
            throw ProviderFailure(.permanent, code: .mediaUnreadable, cause: "impossible channels or sample rate")
        }
        (source.track, source.channels) = (audio.track, channels)
        func holds(_ seconds: Double) -> Bool {
            CodecFloor.holds(bytes, seconds: seconds, codec: codec, sampleRate: sampleRate, channels: channels)
        }
        // Recordings made in a browser state none, and what a header states refuses nothing: the packets are read then.
        let stated = found.format.statesLength && found.sections.isEmpty && !isMeasured ? report.duration(of: audio.stream) : nil
        let duration: Double
        if let stated, stated <= limits.duration, holds(stated) {
            duration = stated
        } else {
            duration = try await length(of: source, bytes)
        }
        guard duration <= limits.duration else {
            throw ProviderFailure(.permanent, code: .mediaTooLong, cause: "longer than the limit")
        }
        guard holds(duration) else {
            throw ProviderFailure(.permanent, code: .mediaUnreadable, cause: "too few bytes for the length")
        }
        return MediaFacts(
            durationSeconds: duration, codec: codec, channels: channels, sampleRate: sampleRate,
            contentType: found.format == declared ? nil : found.format.type.rawValue, track: audio.track,
            otherTracks: report.audio.dropFirst().map(\.track), sections: found.sections,
            ignoresLength: found.ignoresLength, isMeasured: stated == nil || duration != stated)
    }

    private func report(of source: SoundSource, _ bytes: Int) async throws(ProviderFailure) -> FFprobeReport {
        let outcome = try await run(.headers(source, in: sandbox), source.file.folder, .headers(bytes: bytes))
        if outcome.ending == .exited(1) {
            // Unreadable, or it has a track whose decoder is not in the list: a picture, chapters, an unsupported codec.
            return try await reportOfTracks(source, bytes)
        }
        guard outcome.isSuccess else { throw FFmpegFailure.classify(outcome.ending) }
        do {
            return try JSONDecoder().decode(FFprobeReport.self, from: Data(outcome.standardOutput))
        } catch {
            throw ProviderFailure(.permanent, code: .mediaUnreadable, cause: "the report of the probe does not parse")
        }
    }

    /// Without a duration.
    private func reportOfTracks(_ source: SoundSource, _ bytes: Int) async throws(ProviderFailure) -> FFprobeReport {
        let outcome = try await run(.firstPackets(source, in: sandbox), source.file.folder, .headers(bytes: bytes))
        guard outcome.isSuccess else { throw FFmpegFailure.classify(outcome.ending) }
        var streams = FramehashReport.audio(outcome.standardOutput)
        if source.format.type.container == .mp4, source.sections.isEmpty {
            let enabled = await files.run { MP4Layout.enabledSounds(source.file.path) }
            for (index, isEnabled) in zip(streams.indices, enabled) where enabled.count == streams.count {
                streams[index].disposition = .init(default: isEnabled ? 1 : 0)
            }
        }
        return FFprobeReport(streams: streams)
    }

    /// Seconds, from the times of all packets.
    private func length(of source: SoundSource, _ bytes: Int) async throws(ProviderFailure) -> Double {
        guard source.sections.count > 1 else { return try await lengthOfOne(source, bytes) }
        var seconds = 0.0
        for section in source.sections where seconds <= limits.duration {
            seconds += try await lengthOfOne(source.section(section), section.count)
        }
        return seconds
    }

    private func lengthOfOne(_ source: SoundSource, _ bytes: Int) async throws(ProviderFailure) -> Double {
        let command = FFmpegCommand.packets(source, in: sandbox, atMost: limits.duration + 1)
        let outcome = try await run(command, source.file.folder, .packets(bytes: bytes))
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
