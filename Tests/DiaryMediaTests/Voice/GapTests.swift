import DiaryCore
import FoundationEssentials
import TestSupport
import Testing

@testable import DiaryMedia

@Suite("Speech that an engine leaves out")
struct GapTests {
    /// Finds voice where it is told.
    private struct KnownVoice: VoiceDetector {
        var isAvailable = true
        /// nil: it does not answer.
        var spans: [VoiceSpan]?

        func voice(_ recording: VerifiedRecording) async -> [VoiceSpan]? { spans }
    }

    /// Hears a word each second of a whole recording but in one stretch of it, and what it is told of a part.
    private final class Forgetful: SpeechEngine {
        let languages = SpeechLanguages.all
        let left: ClosedRange<Double>
        let words: Int
        let fails: Bool
        let asked = Shared<[(seconds: Double, language: String?)]>([])

        init(_ left: ClosedRange<Double>, then words: Int, fails: Bool = false) {
            (self.left, self.words, self.fails) = (left, words, fails)
        }

        func transcribe(_ recording: VerifiedRecording, _ request: SpeechRequest) async throws(ProviderFailure) -> SpeechAnswer {
            let isFirst = asked.now.isEmpty
            asked.change { $0.append((recording.durationSeconds, request.language)) }
            if !isFirst, fails { throw ProviderFailure(.retry, code: .speechUnavailable, cause: "scripted") }
            let times = isFirst ? (0..<30).map(Double.init).filter { !left.contains($0) } : (0..<words).map { Double($0) + 0.4 }
            let heard = times.map { TimedWord(text: isFirst ? "w\(Int($0))" : "again\(Int($0))", start: $0, end: $0 + 0.8, confidence: 1) }
            let segments = heard.isEmpty ? [] : [SpeechSegment(start: 0, end: recording.durationSeconds, words: heard)]
            return SpeechAnswer(
                RawTranscript(language: "de", segments: segments), use: EngineUse(audioSeconds: recording.durationSeconds))
        }
    }

    private func hear(
        _ engine: Forgetful, _ voice: KnownVoice, sound: String = "sine=f=300:d=30"
    ) async throws -> SpeechAnswer {
        let job = try JobFolder()
        try await ffmpeg(job, ["-f", "lavfi", "-i", sound, "-c:a", "flac", "a.flac"])
        let settings = EngineSettings(name: "far", stage: .speech, kind: .openai, model: "m")
        let answer = try await PartedSpeechEngine.wrap(engine, settings, sandbox: await TestSandbox.shared(), detector: voice)
            .transcribe(job.verified("a.flac", seconds: 30, contentType: "audio/flac"), SpeechRequest())
        #expect(job.names == ["a.flac"])
        return answer
    }

    private func coverage(_ answer: SpeechAnswer) throws -> VoiceCoverage {
        VoiceCoverage(voice: try #require(answer.transcript.voice), segments: answer.transcript.segments)
    }

    private let everywhere = KnownVoice(spans: [VoiceSpan(start: 0, end: 30)])

    @Test("is heard once more by itself, in the language that was heard, and comes in its place")
    func found() async throws {
        let engine = Forgetful(10...19, then: 10)

        let answer = try await hear(engine, everywhere)

        #expect(engine.asked.now.map { $0.seconds.rounded() } == [30, 11] && engine.asked.now.map(\.language) == [nil, "de"])
        let texts = answer.transcript.segments.flatMap(\.words).map(\.text)
        #expect(texts == (0...9).map { "w\($0)" } + (0...9).map { "again\($0)" } + (20...29).map { "w\($0)" })
        #expect(try coverage(answer) == VoiceCoverage(thousandths: 1_000, gaps: []))
        #expect(answer.use.audioSeconds > 39, "what was heard again is counted")
    }

    @Test("stays a gap where nothing is heard, one word is, or the engine fails: within a second, and once", arguments: [0, 1, -1])
    func lost(words: Int) async throws {
        let engine = Forgetful(10...19, then: max(0, words), fails: words < 0)

        let answer = try await hear(engine, everywhere)

        #expect(engine.asked.now.count == 2)
        #expect(answer.transcript.segments.flatMap(\.words).count == 20)
        let coverage = try coverage(answer)
        let gap = try #require(coverage.gaps.first)
        #expect(coverage.gaps.count == 1 && abs(gap.start - 10) < 1 && abs(gap.end - 20) < 1)
        #expect((660...720).contains(coverage.thousandths))
    }

    @Test("is none where nobody speaks, where it is short, where the sound is silent, and where nothing was measured")
    func honest() async throws {
        let elsewhere = KnownVoice(spans: [VoiceSpan(start: 0, end: 10), VoiceSpan(start: 20, end: 30)])
        let silent = "aevalsrc='0.3*sin(1885*t)*not(between(t,10,20))':d=30"
        for (engine, voice, sound) in [
            (Forgetful(10...19, then: 0), elsewhere, "sine=f=300:d=30"), (Forgetful(10...11, then: 0), everywhere, "sine=f=300:d=30"),
            (Forgetful(10...19, then: 0), everywhere, silent),
        ] {
            let answer = try await hear(engine, voice, sound: sound)

            #expect(engine.asked.now.count == 1)
            #expect(try coverage(answer).gaps.isEmpty)
        }
        for voice in [KnownVoice(spans: nil), KnownVoice(isAvailable: false)] {
            #expect(try await hear(Forgetful(10...19, then: 0), voice).transcript.voice == nil)
        }
    }

    @Test("a recording that is quiet all through has voice, too; digital silence has none")
    func quiet() {
        func samples(_ peak: Double) -> [UInt8] {
            (0..<16_000).flatMap { index in
                let value = Int16(index / 20 % 2 == 0 ? peak : -peak)
                return [UInt8(truncatingIfNeeded: value), UInt8(truncatingIfNeeded: value >> 8)]
            }
        }

        for peak in [20_000.0, 300, 60] {
            #expect(Loudness.audible(samples(peak)) == [VoiceSpan(start: 0, end: 1)])
            #expect(Loudness.audible(samples(peak) + samples(0)).first?.end == 1)
        }
        #expect(Loudness.audible(samples(0)).isEmpty && Loudness.audible([]).isEmpty)
    }

    @Test("a word at the edge of a gap that both hearings have stays once")
    func torn() {
        func word(_ text: String, _ start: Double) -> TimedWord { TimedWord(text: text, start: start, end: start + 0.4, confidence: 1) }
        let known = [
            SpeechSegment(start: 0, end: 5.4, words: [word("the", 4.2), word("river.", 5)]),
            SpeechSegment(start: 12, end: 13, words: [word("home", 12)]),
        ]
        let again = [SpeechSegment(start: 5, end: 12, words: [word("River", 5.3), word("was", 6), word("still", 8), word("Home", 11.6)])]

        let filled = SpokenSegments.filling(VoiceSpan(start: 5.4, end: 12), of: known, with: again, voiced: 2)

        #expect(filled.flatMap(\.words).map(\.text) == ["the", "river.", "was", "still", "home"])
    }

    @Test("words where nobody speaks are cut and marked")
    func invented() async throws {
        let engine = Forgetful(30...31, then: 0)

        let answer = try await hear(engine, KnownVoice(spans: []))

        #expect(answer.transcript.segments.allSatisfy { $0.words.isEmpty && $0.marks == ["not_speech"] })
    }
}
