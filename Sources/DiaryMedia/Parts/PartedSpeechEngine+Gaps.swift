import DiaryCore
import FoundationEssentials

/// What the engine heard of a stretch, compared with where it has voice. Speech that an engine leaves out without a word is the fault of
/// speech servers that users report most.
extension PartedSpeechEngine {
    /// Seconds of voice without words from which on it is heard once more.
    private static let heardAgain = 5.0
    /// Beside such a gap, for what is torn at its edges.
    private static let margin = 0.3

    struct Stretch {
        var answer: SpeechAnswer
        /// With times in the recording.
        var segments: [SpeechSegment]
        /// nil: not measured.
        var voice: [VoiceSpan]?
    }

    /// - Parameter file: what is sent as it is; nil: the stretch is cut out.
    func hear(
        _ cutter: RecordingCutter, from start: Double, to end: Double, _ request: SpeechRequest, file: VerifiedRecording? = nil
    ) async throws(ProviderFailure) -> Stretch {
        var answer: SpeechAnswer
        if let file {
            answer = try await inner.transcribe(file, request)
        } else {
            answer = try await ask(cutter, from: start, to: end, request)
        }
        var segments = SpeechStitch.placed(answer.transcript.segments, from: start, to: end)
        guard let voice = try await voice(answer.transcript.voice, cutter, from: start, to: end, use: answer.use) else {
            return Stretch(answer: answer, segments: segments, voice: nil)
        }
        segments = SpokenSegments.onlyVoiced(segments, voice)
        var again = request
        again.language = request.language ?? answer.transcript.knownLanguage
        again.offered = again.language.map { [$0] } ?? request.offered
        for gap in VoiceCoverage(voice: voice, segments: segments).gaps where gap.seconds > Self.heardAgain {
            let (first, last) = (max(start, gap.start - Self.margin), min(end, gap.end + Self.margin))
            do throws(ProviderFailure) {
                let found = try await ask(cutter, from: first, to: last, again)
                answer.use = answer.use + found.use
                let words = SpeechStitch.placed(found.transcript.segments, from: first, to: last)
                segments = SpokenSegments.filling(gap, of: segments, with: words, voiced: voice.within(gap.start, gap.end).seconds)
            } catch {
                answer.use = answer.use + error.use
                // What a hosted engine heard is paid for, and stays as it is; the local one hears the stretch again.
                guard Task.isCancelled || settings.kind == .local && error.treatment == .retry else { break }
                var failure = error
                failure.use = answer.use
                throw failure
            }
        }
        return Stretch(answer: answer, segments: segments, voice: voice)
    }

    /// Where the stretch has voice, by the engine's own detector or else by this machine's, without what is silent.
    private func voice(
        _ heard: [VoiceSpan]?, _ cutter: RecordingCutter, from start: Double, to end: Double, use: EngineUse
    ) async throws(ProviderFailure) -> [VoiceSpan]? {
        let detected: [VoiceSpan]?
        if let heard {
            detected = heard.map { VoiceSpan(start: start + $0.start, end: start + $0.end) }
        } else {
            detected = await detect(cutter, from: start, to: end)
        }
        if Task.isCancelled {
            var failure = ProviderFailure(.retry, code: .unexpected, cause: "cancelled")
            failure.use = use
            throw failure
        }
        return detected?.within(start, end).flatMap { span in
            Loudness.audible(cutter.sound.samples(from: span.start, to: span.end))
                .map { VoiceSpan(start: span.start + $0.start, end: span.start + $0.end) }
        }
    }

    /// Seconds that the detector is given at once.
    private static let detected = 600.0

    private func detect(_ cutter: RecordingCutter, from start: Double, to end: Double) async -> [VoiceSpan]? {
        guard let detector, detector.isAvailable else { return nil }
        var spans: [VoiceSpan] = []
        for first in stride(from: start, to: end, by: Self.detected) {
            guard let part = try? await cutter.part(from: first, to: min(end, first + Self.detected), as: .wav) else { return nil }
            defer { try? FileManager.default.removeItem(atPath: part.path) }
            guard let found = await detector.voice(part) else { return nil }
            spans += found.map { VoiceSpan(start: first + $0.start, end: first + $0.end) }
        }
        return spans
    }
}
