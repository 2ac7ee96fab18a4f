package import DiaryCore
import FoundationEssentials

/// Gives an engine recordings as it takes them: one that is over its limits is encoded anew, and when that is not enough cut at pauses into
/// parts, which are asked one after the other and kept as they come (A11). What is heard is compared with where the recording has voice, and
/// voice without words is heard once more by itself (`PartedSpeechEngine+Gaps.swift`).
///
/// One part at a time is on disk beside the decoded recording, and in memory is what was heard of all, and a minute of sound.
package struct PartedSpeechEngine: SpeechEngine {
    package var languages: SpeechLanguages { inner.languages }
    let settings: EngineSettings
    let inner: any SpeechEngine
    /// nil: the engine takes recordings of any length.
    let lengths: PartLengths?
    let sandbox: Sandbox
    let limits: RecordingLimits
    /// nil: only an engine that says where it heard voice is compared with it.
    let detector: (any VoiceDetector)?

    /// The engine itself where nothing needs the recording in another form than it has.
    package static func wrap(
        _ inner: any SpeechEngine, _ settings: EngineSettings, sandbox: Sandbox, limits: RecordingLimits = RecordingLimits(),
        detector: (any VoiceDetector)? = nil
    ) -> any SpeechEngine {
        let lengths = PartLengths(settings)
        guard lengths != nil || detector != nil || inner.partFormat == .wav else { return inner }
        return PartedSpeechEngine(
            settings: settings, inner: inner, lengths: lengths, sandbox: sandbox, limits: limits, detector: detector)
    }

    /// - Returns: with the use that is not counted yet. That of a part is counted where the part is kept.
    package func transcribe(_ recording: VerifiedRecording, _ request: SpeechRequest) async throws(ProviderFailure) -> SpeechAnswer {
        let isOver = isOver(recording)
        guard isOver || inner.partFormat == .wav || detector?.isAvailable == true else {
            return try await inner.transcribe(recording, request)
        }
        let cutter = try await RecordingCutter.open(recording, sandbox: sandbox, limits: limits)
        // Plain speech is deleted as soon as it is not needed.
        defer { cutter.sound.remove() }
        if let lengths, isOver, cutter.total > lengths.longest { return try await parts(cutter, lengths, request) }
        let heard = try await hear(
            cutter, from: 0, to: cutter.total, request, file: isOver || inner.partFormat == .wav ? nil : recording)
        var answer = heard.answer
        answer.transcript.segments = heard.segments
        answer.transcript.voice = heard.voice
        return answer
    }

    /// From where the kept parts end, as `parts` goes on there.
    package func secondsToHear(_ recording: VerifiedRecording, _ request: SpeechRequest) async throws(ProviderFailure) -> Double {
        let total = recording.durationSeconds
        guard let lengths, isOver(recording), total > lengths.longest, let last = try await kept(request).last else { return total }
        return max(0, total - (last.next ?? total))
    }

    /// By what the engine would send: the file, or the wav that it makes of it.
    private func isOver(_ recording: VerifiedRecording) -> Bool {
        if let most = settings.maxSeconds, recording.durationSeconds > Double(most) { return true }
        guard let most = settings.maxBytes, let file = JobFile(recording.path, in: recording.folder) else { return false }
        guard inner.sendsAsItIs(recording.contentType) else {
            return DecodedRecording.bytes(seconds: recording.durationSeconds) > most
        }
        return file.size > most
    }

    private func parts(
        _ cutter: RecordingCutter, _ lengths: PartLengths, _ request: SpeechRequest
    ) async throws(ProviderFailure) -> SpeechAnswer {
        var heard = try await kept(request)
        var use = EngineUse()
        var isAsked = false
        var voices: [String: [UInt8]] = [:]
        if let next = heard.last?.next { request.steps?.report(next / cutter.total) }
        do throws(ProviderFailure) {
            while let start = heard.last.map(\.next) ?? 0 {
                if Task.isCancelled { throw ProviderFailure(.retry, code: .unexpected, cause: "cancelled") }
                let (end, next) = Self.cut(cutter, lengths, from: start)
                let (speakers, labels) = await known(cutter, heard, &voices)
                var own = request
                own.speakers = speakers
                let stretch = try await hear(cutter, from: start, to: end, own)
                isAsked = isAsked || stretch.answer.isFromEngine
                use = use + stretch.answer.use
                try Self.pass(.partHeard)
                let part = SpeechPart(
                    index: heard.count, start: start, end: end, next: next, asked: request.language,
                    language: stretch.answer.transcript.language, model: stretch.answer.model,
                    segments: SpeakersOfParts.renamed(stretch.segments, known: labels, after: heard), voice: stretch.voice)
                if let parts = request.parts?.parts {
                    try await parts.keep(part, by: reference, used: UsageAmount(stretch.answer.use, of: settings))
                    use = EngineUse()
                }
                try Self.pass(.partStored)
                heard.append(part)
                request.steps?.report((next ?? cutter.total) / cutter.total)
            }
        } catch {
            var failure = error
            failure.use = use + failure.use
            // An outage counts no try; parts that were heard may have been paid for.
            if failure.isOutage, isAsked { failure.isTry = true }
            throw failure
        }
        var answer = SpeechAnswer(
            RawTranscript(
                language: SpeechStitch.language(of: heard), segments: SpeechStitch.joined(heard), voice: SpeechStitch.voice(of: heard)),
            model: heard.lazy.compactMap(\.model).first, use: use)
        answer.isFromEngine = isAsked
        return answer
    }

    private var reference: EngineReference { EngineReference(name: settings.name, model: settings.model) }

    /// The parts of earlier tries that this one need not ask for.
    private func kept(_ request: SpeechRequest) async throws(ProviderFailure) -> [SpeechPart] {
        guard let parts = request.parts?.parts else { return [] }
        return Self.usable(try await parts.kept(by: reference), asked: request.language)
    }

    /// - Returns: the part's end, and where the next one begins; nil when it is the last.
    private static func cut(_ cutter: RecordingCutter, _ lengths: PartLengths, from start: Double) -> (end: Double, next: Double?) {
        guard let window = lengths.window(from: start, of: cutter.total) else { return (cutter.total, nil) }
        if let pause = cutter.pause(in: window) { return (pause, pause) }
        let end = (window.upperBound * 1_000).rounded(.down) / 1_000
        return (end, ((end - lengths.overlap) * 1_000).rounded() / 1_000)
    }

    /// Asks the engine for a stretch of the recording.
    func ask(
        _ cutter: RecordingCutter, from start: Double, to end: Double, _ request: SpeechRequest
    ) async throws(ProviderFailure) -> SpeechAnswer {
        let part = try await cutter.part(from: start, to: end, as: inner.partFormat)
        // Plain speech is deleted as soon as it is not needed.
        defer { try? FileManager.default.removeItem(atPath: part.path) }
        // Cutting and encoding may have taken minutes.
        try await request.steps?.admitNext()
        return try await inner.transcribe(part, request)
    }

    /// The voices of those who were heard before, for the next part. They follow from the parts alone, so that a later try asks the same.
    /// - Parameter voices: samples that were encoded already, by speaker.
    /// - Returns: and the labels in the recording by the names that the engine is given.
    private func known(
        _ cutter: RecordingCutter, _ heard: [SpeechPart], _ voices: inout [String: [UInt8]]
    ) async -> (speakers: [KnownSpeaker], labels: [String: String]) {
        var speakers: [KnownSpeaker] = []
        var labels: [String: String] = [:]
        for sample in SpeakersOfParts.samples(of: heard, atMost: inner.mostKnownSpeakers) {
            let voice: [UInt8]
            if let encoded = voices[sample.speaker] {
                voice = encoded
            } else if let encoded = await self.voice(sample, cutter) {
                voice = encoded
                voices[sample.speaker] = encoded
            } else {
                continue
            }
            // Not the label: speakers who are not known get letters again.
            let name = "known_\(speakers.count + 1)"
            speakers.append(KnownSpeaker(name: name, sample: voice, contentType: "audio/ogg"))
            labels[name] = sample.speaker
        }
        return (speakers, labels)
    }

    /// Some ten times what the longest sample has.
    private static let mostVoiceBytes = 256 << 10

    /// nil when it cannot be encoded: without it the speaker gets another label, and the part is heard all the same.
    private func voice(_ sample: SpeakersOfParts.Sample, _ cutter: RecordingCutter) async -> [UInt8]? {
        guard let part = try? await cutter.part(from: sample.start, to: sample.end, as: .opus) else { return nil }
        defer { try? FileManager.default.removeItem(atPath: part.path) }
        return JobFile(part.path, in: part.folder)?.contents(atMost: Self.mostVoiceBytes)
    }

    /// Those from the recording's start without a gap, asked for in the same language. The cuts of the others follow from these: a kept part
    /// is used although pauses or limits would be found elsewhere today.
    static func usable(_ kept: [SpeechPart], asked: String?) -> [SpeechPart] {
        var usable: [SpeechPart] = []
        var start: Double? = 0
        for part in kept.sorted(by: { $0.index < $1.index }) {
            guard part.index == usable.count, part.start == start, part.asked == asked, part.end > part.start else { break }
            usable.append(part)
            start = part.next
        }
        return usable
    }

    private static func pass(_ point: Failpoint) throws(ProviderFailure) {
        do { try point.hit() } catch { throw ProviderFailure(.retry, code: .unexpected, cause: "failpoint") }
    }
}
