import BlockingCalls
package import DiaryCore

/// Decodes a recording once with ffmpeg, in the sandbox: its samples pass through a `PeakMeter`, and ffmpeg writes the copy beside.
package struct FFmpegRenderer: RecordingRenderer {
    let sandbox: Sandbox
    let limits: RecordingLimits
    /// Looks into files, off the cooperative pool (decision D5).
    private let files = BlockingPool(threads: 1)

    /// Call it at start: a thread that the system refuses ends the process.
    package init(sandbox: Sandbox, limits: RecordingLimits = RecordingLimits()) {
        self.sandbox = sandbox
        self.limits = limits
    }

    /// Samples a second.
    static let rate = 16_000

    package func render(
        _ path: String, contentType: String, facts: MediaFacts, folder: String
    ) async throws(ProviderFailure) -> RenderedRecording {
        guard let format = MediaFormat(contentType: facts.contentType ?? contentType) else {
            throw ProviderFailure(.permanent, code: .mediaUnsupported, cause: "the content type is not one of the supported")
        }
        guard let file = JobFile(path, in: folder), let copyFile = JobFile("\(path).copy.m4a", in: folder) else {
            throw ProviderFailure(.permanent, code: .unexpected, cause: "the recording is not in the job's folder")
        }
        guard facts.durationSeconds >= 0, facts.durationSeconds <= limits.duration else {
            throw ProviderFailure(.permanent, code: .mediaTooLong, cause: "longer than the limit")
        }
        var source = SoundSource(file, format)
        (source.track, source.sections, source.channels, source.ignoresLength) = (
            facts.track, facts.sections, facts.channels, facts.ignoresLength
        )
        // Players and engines take the first track of the first part as the header describes it.
        let isPlain = facts.contentType == nil && facts.track == 0 && facts.sections.isEmpty && !facts.ignoresLength
        var isPlayable = isPlain && format.type.isPlayable && facts.codec == "aac"
        if isPlayable { isPlayable = await !files.run { MP4Layout.isFragmented(file.path) } }
        var copy = isPlayable || facts.channels > 2 ? nil : (file: copyFile, format: CopyFormat(facts))
        var meter = try await heard(&source, facts, &copy, copyFile)
        let mix = meter.mix
        if mix != .mean || facts.channels > 2 {
            source.mix = mix
            copy = (file: copyFile, format: CopyFormat(facts, channels: 1))
            meter = try await measure(source, facts, copy)
        }

        guard meter.samples > 0, copy == nil || copyFile.size > 0 else {
            throw ProviderFailure(.permanent, code: .mediaUnreadable, cause: "nothing to decode")
        }
        let seconds = copy == nil ? Self.length(of: meter, facts, format) : Double(meter.samples) / Double(Self.rate)
        guard seconds <= limits.duration else { throw ProviderFailure(.permanent, code: .mediaTooLong, cause: "longer than the limit") }
        let count = Int(exactly: (seconds * Double(Self.rate)).rounded()) ?? meter.samples
        return RenderedRecording(
            durationSeconds: seconds, waveform: meter.waveform(of: count), copy: copy == nil ? nil : copyFile.path,
            isCopyHeard: copy != nil && (!isPlain || source.mix != nil || source.track != 0 || source.alignment != .start))
    }

    /// The first track that has sound, and as long as its packets are.
    private func heard(
        _ source: inout SoundSource, _ facts: MediaFacts, _ copy: inout (file: JobFile, format: CopyFormat)?, _ copyFile: JobFile
    ) async throws(ProviderFailure) -> PeakMeter {
        var first: (meter: PeakMeter, track: Int)?
        for track in [facts.track] + facts.otherTracks {
            source.track = track
            // Players take the first.
            if track != facts.track, copy == nil, facts.channels <= 2 { copy = (file: copyFile, format: CopyFormat(facts)) }
            let meter: PeakMeter
            do throws(ProviderFailure) { meter = try await aligned(&source, facts, copy) } catch {
                guard error.code == .mediaUnreadable, error.cause != MediaFacts.tooShort, track != facts.otherTracks.last,
                    !facts.otherTracks.isEmpty
                else { throw error }
                continue
            }
            if meter.isAudible { return meter }
            if first == nil, meter.samples > 0 { first = (meter, track) }
        }
        guard let first else { return PeakMeter() }
        guard source.track != first.track else { return first.meter }
        source.track = first.track
        return try await measure(source, facts, copy)
    }

    /// Where rate or channels change on the way, the times may not be kept to as usual.
    private func aligned(
        _ source: inout SoundSource, _ facts: MediaFacts, _ copy: (file: JobFile, format: CopyFormat)?
    ) async throws(ProviderFailure) -> PeakMeter {
        let meter = try await measure(source, facts, copy)
        func isOff(_ meter: PeakMeter) -> Bool {
            abs(Double(meter.samples) / Double(Self.rate) - facts.durationSeconds) > MediaFacts.tolerance
        }
        guard facts.isMeasured, source.format.statesLength, meter.samples > 0, isOff(meter) else { return meter }
        for alignment in SoundSource.Alignment.allCases.dropFirst() {
            source.alignment = alignment
            let other = try await measure(source, facts, copy)
            if !isOff(other) { return other }
        }
        source.alignment = .start
        return try await measure(source, facts, copy)
    }

    private func measure(
        _ source: SoundSource, _ facts: MediaFacts, _ copy: (file: JobFile, format: CopyFormat)?
    ) async throws(ProviderFailure) -> PeakMeter {
        // As in `AudioDecoder`: headers that state a second over hours of sound would get past the limits on length.
        let most = 2 * facts.durationSeconds + 60
        let longest = min(limits.duration, most) + 1
        let channels = source.mix == nil ? min(facts.channels, 8) : 1
        let command = FFmpegCommand.rendering(source, measured: channels, copy: copy, in: sandbox, atMost: longest)
        let folder = source.file.folder
        let child = ChildProcess(
            program: command.program, arguments: command.arguments, folder: folder,
            limits: ChildLimits(
                copy == nil ? .decoding(seconds: facts.durationSeconds) : .copying(seconds: facts.durationSeconds),
                addressSpace: RecordingLimits.renderingAddressSpace,
                fileSize: (copy?.format.bytes(seconds: longest) ?? 0) + (1 << 20),
                output: channels * DecodedRecording.bytes(seconds: longest)))
        let ended: (outcome: ChildOutcome, value: PeakMeter)
        do {
            ended = try await child.run(in: sandbox, into: PeakMeter(channels: channels)) { $0.add($1) }
        } catch {
            throw FFmpegFailure.classify(error)
        }
        if !ended.outcome.isSuccess, ended.outcome.ending == .exited(1), JobSpace.isFull(folder) {
            throw ProviderFailure(.retry, code: .storageUnavailable, cause: "no space for the copy of the recording")
        }
        guard ended.outcome.isSuccess else { throw FFmpegFailure.classify(ended.outcome.ending) }
        guard Double(ended.value.samples) / Double(Self.rate) <= most else {
            throw ProviderFailure(.permanent, code: .mediaUnreadable, cause: MediaFacts.tooShort)
        }
        return ended.value
    }

    /// Seconds. The frames of AAC are decoded whole, so there what the headers of MP4 say is more exact, when it is at most two frames less.
    private static func length(of meter: PeakMeter, _ facts: MediaFacts, _ format: MediaFormat) -> Double {
        let decoded = Double(meter.samples) / Double(rate)
        guard format.type.container == .mp4, facts.codec == "aac", facts.sampleRate > 0 else { return decoded }
        // A frame has 1,024 samples, which SBR doubles.
        let frames = 2 * 2048 / Double(facts.sampleRate)
        return facts.durationSeconds <= decoded && decoded - facts.durationSeconds <= frames ? facts.durationSeconds : decoded
    }
}

/// How a playable copy is encoded: AAC LC, as many channels as a phone plays, enough bits that speech and music sound like the original.
struct CopyFormat: Sendable, Equatable {
    let channels: Int
    let sampleRate: Int

    /// - Parameter channels: of the copy; nil for those of the recording.
    init(_ facts: MediaFacts, channels: Int? = nil) {
        self.channels = channels ?? min(max(facts.channels, 1), 2)
        // The nearest above that AAC has, up to what every player plays.
        sampleRate = [8_000, 11_025, 12_000, 16_000, 22_050, 24_000, 32_000, 44_100].first { $0 >= facts.sampleRate } ?? 48_000
    }

    /// Bits a second. A frame of 1,024 samples holds 6,144 bits a channel at most.
    var bitRate: Int { channels * min(64_000, 3 * sampleRate) }

    /// Bytes that a copy stays below: rate control overshoots a little, and the tables of MP4 have some bytes for each frame.
    func bytes(seconds: Double) -> Int {
        let frames = seconds * Double(sampleRate) / 1024
        return (Int(exactly: (seconds * Double(bitRate) / 8 * 1.25 + frames * 16).rounded(.up)) ?? 0) + 1 << 20
    }
}
