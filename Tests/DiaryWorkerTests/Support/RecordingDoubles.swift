import DiaryCore
import Foundation
import TestSupport

@testable import DiaryWorker

struct FixedProbe: MediaProbe {
    var seconds = 12.5
    func inspect(_ path: String, contentType: String, folder: String, isMeasured: Bool) async throws(ProviderFailure) -> MediaFacts {
        MediaFacts(durationSeconds: seconds, codec: "aac", channels: 1, sampleRate: 16_000)
    }
}

/// Measures what the probe said, or something else.
struct FixedRenderer: RecordingRenderer {
    var seconds: Double?
    /// The bytes of the copy; nil: none is made.
    var copy: [UInt8]?

    static let waveform = Waveform { UInt8(truncatingIfNeeded: $0) }

    func render(
        _ path: String, contentType: String, facts: MediaFacts, folder: String
    ) async throws(ProviderFailure) -> RenderedRecording {
        let place = copy.map { _ in "\(folder)/copy" }
        if let place { _ = FileManager.default.createFile(atPath: place, contents: copy.map { Data($0) }) }
        return RenderedRecording(durationSeconds: seconds ?? facts.durationSeconds, waveform: Self.waveform, copy: place)
    }
}

struct FixedRecognizer: SpeechEngine {
    var transcript = RawTranscript(
        language: "en",
        segments: [
            SpeechSegment(
                start: 0, end: 1,
                words: [
                    TimedWord(text: "hello", start: 0, end: 0.4, confidence: 1),
                    TimedWord(text: "sea", start: 0.5, end: 1, confidence: 0.9),
                ])
        ])
    var languages = SpeechLanguages(["de", "en"])
    let seen = Shared<(bytes: Int, mode: Int, seconds: Double)>((0, 0, 0))
    let asked = Shared<[String?]>([])

    func transcribe(_ recording: VerifiedRecording, _ request: SpeechRequest) async throws(ProviderFailure) -> SpeechAnswer {
        let mode = (try? FileManager.default.attributesOfItem(atPath: recording.folder))?[.posixPermissions] as? Int
        seen.set((FileManager.default.contents(atPath: recording.path)?.count ?? 0, mode ?? 0, recording.durationSeconds))
        asked.set(asked.now + [request.language])
        return SpeechAnswer(transcript, use: EngineUse(audioSeconds: recording.durationSeconds))
    }
}

struct FixedCleaner: TextEngine {
    let answer: @Sendable (RawTranscript) throws(ProviderFailure) -> String
    func clean(_ raw: RawTranscript, _ request: TextRequest) async throws(ProviderFailure) -> TextAnswer {
        TextAnswer(clean: try answer(raw))
    }
}
