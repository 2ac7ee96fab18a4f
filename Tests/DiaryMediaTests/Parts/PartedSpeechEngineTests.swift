import DiaryCore
import FoundationEssentials
import TestSupport
import Testing

@testable import DiaryMedia

@Suite("Recordings over an engine's limits")
struct PartedSpeechEngineTests {
    private func settings(bytes: Int? = nil, seconds: Int? = nil, model: String? = "m") -> EngineSettings {
        EngineSettings(name: "far", stage: .speech, kind: .openai, model: model, maxBytes: bytes, maxSeconds: seconds)
    }

    /// Each beep once, in order, within 0.3 s of where it is.
    private func expect(_ beeps: Beeps, in answer: SpeechAnswer) {
        let words = answer.transcript.segments.flatMap(\.words)
        #expect(words.map(\.text) == (0..<beeps.count).map(Beeps.name))
        for (number, word) in words.enumerated() { #expect(abs(word.start - beeps.start(number)) < 0.3, "beep \(number)") }
        #expect(zip(words, words.dropFirst()).allSatisfy { $0.start <= $1.start })
    }

    static let formats: [(name: String, type: String, encoding: [String])] = [
        ("a.m4a", "audio/mp4", ["-c:a", "aac"]), ("a.mp3", "audio/mpeg", ["-c:a", "libmp3lame", "-q:a", "6"]),
        ("a.webm", "audio/webm", ["-c:a", "libopus"]), ("a.aac", "audio/aac", ["-c:a", "aac"]),
        ("a.wav", "audio/wav", ["-ac", "2", "-ar", "44100"]), ("a.flac", "audio/flac", []),
    ]

    @Test("A11: 30 s in parts of at most 10 s: each word once, in order, within 0.3 s; one part at a time on disk", arguments: 0..<6)
    func parts(format: Int) async throws {
        let (name, type, encoding) = Self.formats[format]
        let job = try JobFolder()
        let sandbox = await TestSandbox.shared()
        let beeps = Beeps(seconds: 30)
        try await beeps.write(name, in: job, encoding)
        let inner = BeepEngine(sandbox: sandbox)

        let answer = try await PartedSpeechEngine.wrap(inner, settings(seconds: 10), sandbox: sandbox)
            .transcribe(job.verified(name, seconds: 30, contentType: type), SpeechRequest())

        expect(beeps, in: answer)
        #expect((3...5).contains(inner.asked.count))
        #expect(
            inner.asked.allSatisfy {
                $0.seconds <= 10 && $0.contentType == "audio/ogg" && $0.names == [name, "\(name).16k.wav", "\(name).part.ogg"]
            })
        #expect(job.names == [name])
        #expect(abs(answer.use.audioSeconds - 30) < 0.1 && answer.model == "beeps-1")
    }

    @Test("A11: where no pause is found, parts overlap, and what both heard is there once")
    func overlaps() async throws {
        let job = try JobFolder()
        let sandbox = await TestSandbox.shared()
        let beeps = Beeps(seconds: 40, hum: true)
        try await beeps.write("a.flac", in: job, [])
        let inner = BeepEngine(sandbox: sandbox)

        let answer = try await PartedSpeechEngine.wrap(inner, settings(seconds: 20), sandbox: sandbox)
            .transcribe(job.verified("a.flac", seconds: 40, contentType: "audio/flac"), SpeechRequest())

        expect(beeps, in: answer)
        #expect(answer.use.audioSeconds > 42)
    }

    @Test("A11: a recording that is only too large is encoded anew and asked for once")
    func encoded() async throws {
        let job = try JobFolder()
        let sandbox = await TestSandbox.shared()
        let beeps = Beeps(seconds: 30)
        try await beeps.write("a.wav", in: job, ["-ac", "2", "-ar", "44100"])
        let inner = BeepEngine(sandbox: sandbox)

        let answer = try await PartedSpeechEngine.wrap(inner, settings(bytes: 110_000), sandbox: sandbox)
            .transcribe(job.verified("a.wav", seconds: 30, contentType: "audio/wav"), SpeechRequest())

        expect(beeps, in: answer)
        #expect(inner.asked.count == 1 && inner.asked.first.map { $0.bytes <= 110_000 } == true)
        #expect(job.names == ["a.wav"])
    }

    @Test("A11: what the engine would send as a wav is over the limit where the wav is, also without a limit in seconds")
    func wouldBeWav() async throws {
        let job = try JobFolder()
        let sandbox = await TestSandbox.shared()
        let beeps = Beeps(seconds: 30)
        try await beeps.write("a.aac", in: job, ["-c:a", "aac"])
        #expect(job.size < 500_000 && DecodedRecording.bytes(seconds: 30) > 500_000)
        let recording = job.verified("a.aac", seconds: 30, contentType: "audio/aac")
        let (decoding, taking) = (BeepEngine(sandbox: sandbox, decoded: "audio/aac"), BeepEngine(sandbox: sandbox))

        let answer = try await PartedSpeechEngine.wrap(decoding, settings(bytes: 500_000, seconds: 0), sandbox: sandbox)
            .transcribe(recording, SpeechRequest())
        _ = try await PartedSpeechEngine.wrap(taking, settings(bytes: 500_000, seconds: 0), sandbox: sandbox)
            .transcribe(recording, SpeechRequest())

        expect(beeps, in: answer)
        #expect(decoding.asked.map(\.contentType) == ["audio/ogg"] && taking.asked.map(\.contentType) == ["audio/aac"])
        #expect(job.names == ["a.aac"])
    }

    @Test("A11: limits in bytes hold for each part")
    func partsBySize() async throws {
        let job = try JobFolder()
        let sandbox = await TestSandbox.shared()
        let beeps = Beeps(seconds: 30)
        try await beeps.write("a.m4a", in: job, ["-c:a", "aac", "-b:a", "96k"])
        let inner = BeepEngine(sandbox: sandbox)

        let answer = try await PartedSpeechEngine.wrap(inner, settings(bytes: 33_000), sandbox: sandbox)
            .transcribe(job.verified("a.m4a", seconds: 30), SpeechRequest())

        expect(beeps, in: answer)
        #expect(inner.asked.count >= 4 && inner.asked.allSatisfy { $0.bytes <= 33_000 })
    }

    @Test("a recording within the limits is passed on as it is, and without limits there is nothing around the engine")
    func within() async throws {
        let job = try JobFolder()
        let sandbox = await TestSandbox.shared()
        try await Beeps(seconds: 5).write("a.m4a", in: job, ["-c:a", "aac"])
        let inner = BeepEngine(sandbox: sandbox)

        _ = try await PartedSpeechEngine.wrap(inner, settings(), sandbox: sandbox)
            .transcribe(job.verified("a.m4a", seconds: 5), SpeechRequest())

        #expect(inner.asked.map(\.contentType) == ["audio/mp4"] && inner.asked.first?.names == ["a.m4a"])
        let local = EngineSettings(name: "local", stage: .speech, kind: .local)
        #expect(PartedSpeechEngine.wrap(inner, local, sandbox: sandbox) is BeepEngine)
    }

    @Test("after a failure in the middle no part that was heard is asked for again; its use is counted where it is kept, once")
    func resumes() async throws {
        let job = try JobFolder()
        let sandbox = await TestSandbox.shared()
        let beeps = Beeps(seconds: 30)
        try await beeps.write("a.m4a", in: job, ["-c:a", "aac"])
        let recording = job.verified("a.m4a", seconds: 30)
        let parts = MemoryParts()
        let percents = Shared<[Int]>([])
        var request = SpeechRequest(language: "en", parts: SpeechPartAccess(parts))
        request.steps = CallSteps(admit: {}, note: { percent in percents.change { $0.append(percent) } })
        let first = BeepEngine(sandbox: sandbox, failing: [2])

        let failure = await #expect(throws: ProviderFailure.self) {
            try await PartedSpeechEngine.wrap(first, settings(seconds: 10), sandbox: sandbox).transcribe(recording, request)
        }
        #expect(failure?.code == .speechUnavailable && first.asked.count == 3)
        let heard = first.asked.prefix(2).reduce(0) { $0 + $1.seconds }
        #expect(failure?.use == EngineUse() && abs(parts.audioSeconds - heard) < 0.01)
        #expect(job.names == ["a.m4a"])
        let shares = [1, 2].map { count in first.asked.prefix(count).reduce(0) { $0 + $1.seconds } / 30 * 100 }
        #expect(percents.now.count == 2 && zip(percents.now, shares).allSatisfy { abs(Double($0) - $1) <= 1 })

        func left(_ language: String?) async throws -> Double {
            try await PartedSpeechEngine.wrap(first, settings(seconds: 10), sandbox: sandbox)
                .secondsToHear(recording, SpeechRequest(language: language, parts: SpeechPartAccess(parts)))
        }
        let rest = try await left("en")
        #expect(abs(rest + heard - 30) < 0.1, "what is kept is not counted in a budget again")
        #expect(try await left("de") == 30)

        // Other limits now: what was heard stays, and the rest is cut by them.
        let second = BeepEngine(sandbox: sandbox)
        let answer = try await PartedSpeechEngine.wrap(second, settings(seconds: 8), sandbox: sandbox).transcribe(recording, request)

        expect(beeps, in: answer)
        #expect(abs(second.asked.reduce(0) { $0 + $1.seconds } + heard - 30) < 0.1)
        #expect(answer.use == EngineUse() && abs(parts.audioSeconds - 30) < 0.1)
        #expect(percents.now.count == 3 + second.asked.count && percents.now[2] == percents.now[1], "what is kept is done")
        #expect(percents.now == percents.now.sorted() && percents.now.last == 100)

        #expect(try await left("en") == 0)

        // All of it is kept; another language or model is another question. One part shows that it is asked.
        let third = BeepEngine(sandbox: sandbox, failing: [0, 1])
        func ask(_ language: String?, model: String?) async throws -> SpeechAnswer {
            try await PartedSpeechEngine.wrap(third, settings(seconds: 10, model: model), sandbox: sandbox)
                .transcribe(recording, SpeechRequest(language: language, parts: SpeechPartAccess(parts)))
        }
        let again = try await ask("en", model: "m")
        #expect(third.asked.isEmpty && again.use == EngineUse() && abs(parts.audioSeconds - 30) < 0.1)
        #expect(answer.isFromEngine && !again.isFromEngine)
        expect(beeps, in: again)
        await #expect(throws: ProviderFailure.self) { try await ask("en", model: "other") }
        await #expect(throws: ProviderFailure.self) { try await ask("de", model: "m") }
        #expect(third.asked.count == 2)
    }

    @Test("G7: a call that may not go on sends no further part, not even one that is encoded already, and tells what was heard")
    func withdrawn() async throws {
        let job = try JobFolder()
        let sandbox = await TestSandbox.shared()
        try await Beeps(seconds: 16).write("a.flac", in: job, [])
        let inner = BeepEngine(sandbox: sandbox)
        let refusal = ProviderFailure(.permanent, code: .consentRequired, cause: "withdrawn")
        var request = SpeechRequest()
        request.steps = CallSteps(
            admit: { () async throws(ProviderFailure) in if !inner.asked.isEmpty { throw refusal } }, note: { _ in })

        let failure = await #expect(throws: ProviderFailure.self) {
            try await PartedSpeechEngine.wrap(inner, settings(seconds: 10), sandbox: sandbox)
                .transcribe(job.verified("a.flac", seconds: 16, contentType: "audio/flac"), request)
        }

        #expect(failure?.code == .consentRequired && inner.asked.count == 1)
        #expect(failure?.use.audioSeconds == inner.asked.first?.seconds)
        #expect(job.names == ["a.flac"])
    }

    @Test("kept parts are used from the start up to the first gap")
    func usable() {
        func part(_ index: Int, _ start: Double, _ end: Double, _ next: Double?, asked: String? = nil) -> SpeechPart {
            SpeechPart(index: index, start: start, end: end, next: next, asked: asked, language: "en", model: nil, segments: [])
        }
        let parts = [part(2, 38, 60, nil), part(0, 0, 20, 18), part(1, 18, 40, 38)]

        #expect(PartedSpeechEngine.usable(parts, asked: nil).map(\.index) == [0, 1, 2])
        #expect(PartedSpeechEngine.usable(parts, asked: "en").isEmpty)
        #expect(PartedSpeechEngine.usable([parts[0], parts[1]], asked: nil).map(\.index) == [0])
        #expect(PartedSpeechEngine.usable([part(0, 0, 20, 18), part(1, 20, 40, nil)], asked: nil).map(\.index) == [0])
        #expect(PartedSpeechEngine.usable([part(0, 5, 20, 18)], asked: nil).isEmpty)
    }

    @Test("what the probe would refuse is refused, and a broken file is no engine's fault")
    func broken() async throws {
        let job = try JobFolder()
        let sandbox = await TestSandbox.shared()
        try job.write("no sound", "a.m4a")
        let engine = PartedSpeechEngine.wrap(BeepEngine(sandbox: sandbox), settings(seconds: 20), sandbox: sandbox)
        for (recording, code) in [
            (job.verified("a.m4a", seconds: 60), ProcessingCode.mediaUnreadable),
            (job.verified("a.m4a", seconds: 60, contentType: "text/plain"), .mediaUnsupported),
            (job.verified("../a.m4a", seconds: 60), .unexpected), (job.verified("a.m4a", seconds: 1e9), .mediaTooLong),
        ] {
            let failure = await #expect(throws: ProviderFailure.self) { try await engine.transcribe(recording, SpeechRequest()) }
            #expect(failure?.treatment == .permanent && failure?.code == code && failure?.isFromEngine == false)
        }
    }

    @Test(
        "A11: two hours in parts of 1,400 s: each word once, in order, within 0.3 s",
        .enabled(if: areCountsFull), .timeLimit(.minutes(15)))
    func twoHours() async throws {
        let job = try JobFolder()
        let sandbox = await TestSandbox.shared()
        let beeps = Beeps(seconds: 7_200, every: 4)
        try await beeps.write("a.wav", in: job, [])
        let inner = BeepEngine(sandbox: sandbox)

        let answer = try await PartedSpeechEngine.wrap(inner, settings(), sandbox: sandbox)
            .transcribe(job.verified("a.wav", seconds: 7_200, contentType: "audio/wav"), SpeechRequest())

        expect(beeps, in: answer)
        #expect((6...8).contains(inner.asked.count) && inner.asked.allSatisfy { $0.bytes <= EngineSettings.openAIBytes })
    }
}
