import DiaryCore
import Synchronization
import Testing

@testable import DiaryMedia

@Suite("Speakers of recordings that are heard in parts")
struct PartedSpeakersTests {
    private static let settings = EngineSettings(name: "far", stage: .speech, kind: .openai, model: "m", maxBytes: 0, maxSeconds: 10)

    /// Hears two speakers in each part: `A` and `B`; where it is given voices, the first of these and an `A` who is new.
    private struct TalkEngine: SpeechEngine {
        let languages = SpeechLanguages.all
        let mostKnownSpeakers: Int
        /// Fails this call, counted from 0.
        var failing: Int?
        private let log = Log()

        private final class Log: Sendable {
            let calls = Mutex<[[KnownSpeaker]]>([])
        }

        init(mostKnownSpeakers: Int, failing: Int? = nil) {
            self.mostKnownSpeakers = mostKnownSpeakers
            self.failing = failing
        }

        /// The voices of each call.
        var given: [[KnownSpeaker]] { log.calls.withLock { $0 } }

        func transcribe(_ recording: VerifiedRecording, _ request: SpeechRequest) async throws(ProviderFailure) -> SpeechAnswer {
            let call = log.calls.withLock { calls in
                calls.append(request.speakers)
                return calls.count - 1
            }
            if call == failing { throw ProviderFailure(.retry, code: .speechUnavailable, cause: "scripted") }
            let speakers = request.speakers.isEmpty ? ["A", "B"] : [request.speakers[0].name, "A"]
            let segments = speakers.enumerated().map { index, speaker in
                let start = Double(index) * 3
                return SpeechSegment(
                    start: start, end: start + 3, words: [TimedWord(text: "hello", start: start, end: start + 1, confidence: 1)],
                    speaker: speaker)
            }
            return SpeechAnswer(RawTranscript(language: "en", segments: segments), use: EngineUse())
        }
    }

    private func recording(_ job: JobFolder) async throws -> VerifiedRecording {
        try await Beeps(seconds: 30).write("a.wav", in: job, [])
        return job.verified("a.wav", seconds: 30, contentType: "audio/wav")
    }

    private func labels(_ answer: SpeechAnswer) -> [String] { answer.transcript.segments.compactMap(\.speaker) }

    @Test("an engine that takes no voices is asked without, and each part's speakers get labels of their own")
    func unknown() async throws {
        let job = try JobFolder()
        let sandbox = await TestSandbox.shared()
        let inner = TalkEngine(mostKnownSpeakers: 0)

        let answer = try await PartedSpeechEngine.wrap(inner, Self.settings, sandbox: sandbox)
            .transcribe(recording(job), SpeechRequest())

        #expect(inner.given.count >= 3 && inner.given.allSatisfy(\.isEmpty))
        #expect(labels(answer).prefix(6) == ["A", "B", "C", "D", "E", "F"])
        #expect(Set(labels(answer)).count == 2 * inner.given.count)
    }

    @Test("the voices of those who were heard go with the next part, four at most, and a known speaker keeps the label")
    func known() async throws {
        let job = try JobFolder()
        let sandbox = await TestSandbox.shared()
        let inner = TalkEngine(mostKnownSpeakers: 4)

        let answer = try await PartedSpeechEngine.wrap(inner, Self.settings, sandbox: sandbox)
            .transcribe(recording(job), SpeechRequest())

        #expect(labels(answer).prefix(6) == ["A", "B", "A", "C", "A", "D"])
        #expect(inner.given.map { $0.map(\.name) }.prefix(3) == [[], ["known_1", "known_2"], ["known_1", "known_2", "known_3"]])
        #expect(inner.given.allSatisfy { $0.count <= 4 })
        for voice in inner.given.flatMap({ $0 }) {
            #expect(voice.contentType == "audio/ogg" && voice.sample.starts(with: Array("OggS".utf8)))
            #expect((7_000...30_000).contains(voice.sample.count), "3 seconds of 24 kbit/s")
        }
        #expect(inner.given.dropFirst().allSatisfy { $0[0].sample == inner.given[1][0].sample })
        #expect(job.names == ["a.wav"])
    }

    @Test("D4: a link in the place of a voice is not followed: the speaker goes without")
    func planted() async throws {
        let job = try JobFolder()
        let outside = try JobFolder()
        let secret = try outside.write("of the service", "secret")
        let inner = TalkEngine(mostKnownSpeakers: 4)
        let part = "a.wav.part.ogg"
        let sandbox = Sandbox.taken(
            by: "\"$@\"; code=$?; if [ -e \(part) ]; then rm \(part); ln -s '\(secret)' \(part); fi; exit $code")

        let answer = try await PartedSpeechEngine.wrap(inner, Self.settings, sandbox: sandbox)
            .transcribe(recording(job), SpeechRequest())

        #expect(inner.given.count >= 3 && inner.given.allSatisfy(\.isEmpty))
        #expect(labels(answer).prefix(4) == ["A", "B", "C", "D"])
        #expect(try outside.read("secret") == Array("of the service".utf8))
        #expect(job.names == ["a.wav"])
    }

    @Test("a try that goes on behind parts that were kept gives the same voices, and the labels are those of a run without a failure")
    func resumes() async throws {
        let job = try JobFolder()
        let sandbox = await TestSandbox.shared()
        let recording = try await recording(job)
        let whole = try await PartedSpeechEngine.wrap(TalkEngine(mostKnownSpeakers: 4), Self.settings, sandbox: sandbox)
            .transcribe(recording, SpeechRequest())
        let request = SpeechRequest(parts: SpeechPartAccess(MemoryParts()))
        let first = TalkEngine(mostKnownSpeakers: 4, failing: 2)
        await #expect(throws: ProviderFailure.self) {
            try await PartedSpeechEngine.wrap(first, Self.settings, sandbox: sandbox).transcribe(recording, request)
        }

        let second = TalkEngine(mostKnownSpeakers: 4)
        let answer = try await PartedSpeechEngine.wrap(second, Self.settings, sandbox: sandbox).transcribe(recording, request)

        #expect(first.given.count == 3 && second.given.first == first.given.last)
        #expect(labels(answer) == labels(whole))
    }
}
