import CurlTransfer
import DiaryCore
import DiaryCrypto
import Foundation
import TestPeers
import Testing

@testable import DiaryMedia

@Suite("Requests to an OpenAI-compatible server", .serialized)
struct OpenAIClientTests {
    let job: JobFolder
    let server: PythonPeer
    let transfers: CurlTransfers

    init() async throws {
        job = try JobFolder()
        server = try await PythonPeer("../../blackbox/fake_openai.py")
        transfers = try CurlTransfers(TransferConfiguration(hosts: []), name: "curl-hosted")
    }

    /// - Parameter fault: that every answer has, as fake_openai.py names it.
    private func client(
        _ fault: String? = nil, stage: EngineStage = .speech, timeout: Int = 20, host: String = "127.0.0.1", mayBePrivate: Bool = true,
        key: String? = nil
    ) -> OpenAIClient {
        let base = "http://\(host):\(server.port("http"))" + (fault.map { "/fault/\($0)" } ?? "") + "/v1"
        let settings = EngineSettings(
            name: "hosted", stage: stage, kind: .openai, url: base, model: "whisper-1", timeoutSeconds: timeout)
        return OpenAIClient(
            settings, key: key.map { SecretBytes(Array($0.utf8)) }, transfers: transfers, allowsPrivateHosts: mayBePrivate)
    }

    private func form() throws -> [FormPart] {
        let path = try job.write([UInt8](repeating: 7, count: 700_000), "sound")
        return TranscriptionForm.parts(
            model: "whisper-1", file: .file("file", path: path, fileName: "recording.m4a", contentType: "audio/mp4"), language: nil,
            vocabulary: [])
    }

    private func failure(_ client: OpenAIClient) async throws -> ProviderFailure? {
        let form = try form()
        do throws(ProviderFailure) {
            let answer = try client.value(try await client.post("/audio/transcriptions", form: form))
            return TranscriptionReply.read(answer, seconds: 1) == nil ? OpenAIFault.malformed(client.settings.stage) : nil
        } catch {
            return error
        }
    }

    @Test("a form with a file, and JSON")
    func posts() async throws {
        let heard = try await client(key: "sk-x").post("/audio/transcriptions", form: try form())
        #expect(TranscriptionReply.read(try client().value(heard), seconds: 3)?.segments.count == 1)

        let written = try await client(stage: .text).post(
            "/chat/completions", json: Array(#"{"model": "m", "messages": [{"role": "user", "content": "hello"}]}"#.utf8))
        #expect(String(decoding: written, as: UTF8.self).contains("hello"))
        try await server.settle()
        #expect(server.events("request").compactMap { $0["path"] as? String } == ["/v1/audio/transcriptions", "/v1/chat/completions"])
    }

    /// Each server is a process: one for all.
    private static let faults: [(fault: String, treatment: ProviderFailure.Treatment, code: ProcessingCode)] = [
        ("429", .retry, .speechUnavailable), ("500", .retry, .speechUnavailable), ("502", .retry, .speechUnavailable),
        ("503", .retry, .speechUnavailable), ("504", .retry, .speechUnavailable), ("html", .permanent, .speechUnreadable),
        ("shape", .permanent, .speechUnreadable), ("empty-body", .permanent, .speechUnreadable),
        ("cut", .retry, .speechUnavailable), ("large", .permanent, .speechUnreadable), ("401", .configuration, .engineRefused),
        ("403", .configuration, .engineRefused), ("quota", .configuration, .engineRefused), ("404", .configuration, .speechUnavailable),
        ("model", .configuration, .speechUnavailable), ("redirect", .configuration, .speechUnavailable),
        ("redirect-metadata", .configuration, .speechUnavailable), ("413", .permanent, .mediaLimits),
        ("413-early", .permanent, .mediaLimits), ("400", .permanent, .mediaUnsupported), ("415", .permanent, .mediaUnsupported),
        ("422", .permanent, .mediaUnsupported), ("long", .permanent, .mediaLimits), ("flagged", .permanent, .mediaUnsupported),
        ("filtered", .permanent, .mediaUnsupported), ("policy", .permanent, .mediaUnsupported),
        ("unexplained", .configuration, .engineRefused),
    ]

    @Test("a server's faults are classified")
    func faults() async throws {
        for (number, (fault, treatment, code)) in Self.faults.enumerated() {
            let failure = try #require(try await failure(client(fault)))
            #expect(failure.treatment == treatment && failure.code == code && failure.isFromEngine, "\(fault): \(failure)")
            try await server.settle()
            #expect(
                server.events("request").count == number + 1, "\(fault): nothing is asked again by itself, and no redirect is followed")
        }
    }

    @Test("an answer without a word is no failure, nor is one whose JSON breaks off in its words")
    func empty() async throws {
        for fault in ["empty", "bad-json"] { #expect(try await failure(client(fault)) == nil, "\(fault)") }
    }

    @Test("the server's wait is kept: seconds, or a date")
    func waits() async throws {
        #expect(try await failure(client("429-after-7"))?.retryAfter == 7)
        #expect(try await failure(client("503-after-30"))?.retryAfter == 30)
        let date = try #require(try await failure(client("503-date-100"))?.retryAfter)
        #expect((90...100).contains(date))
        #expect(try await failure(client("429"))?.retryAfter == nil)
    }

    @Test("a server that never answers is given up when the time is over")
    func hangs() async throws {
        let began = ContinuousClock.now
        let failure = try #require(try await failure(client("hang", timeout: 1)))
        #expect(failure.treatment == .retry && failure.code == .speechTimeout)
        #expect(began.duration(to: .now) < .seconds(10))
    }

    @Test("an answer that drips is given up long before its time is over")
    func drips() async throws {
        var client = client("drip", timeout: 600)
        client.limits.grace = .milliseconds(300)
        let failure = try #require(try await failure(client))
        #expect(failure.treatment == .retry && failure.code == .speechTimeout)
        #expect(failure.cause == "the answer came too slowly")
    }

    @Test("a slow answer is not one that drips: nothing is measured before its head")
    func slowness() {
        let progress = AnswerProgress()
        let now = ContinuousClock.now
        func isTooSlow(_ seconds: Int) -> Bool { progress.isTooSlow(at: now + .seconds(seconds), grace: .seconds(10), rate: 100) }
        #expect(!isTooSlow(1_000))
        progress.headCame(at: now)
        #expect(!isTooSlow(10) && isTooSlow(11))
        progress.received(500)
        #expect(!isTooSlow(15) && isTooSlow(16))
    }

    @Test("loopback and private addresses are refused where the installation does not allow them")
    func privateAddress() async throws {
        for host in ["127.0.0.1", "localhost"] {
            let failure = try #require(try await failure(client(host: host, mayBePrivate: false)))
            #expect(failure.treatment == .configuration && failure.isFromEngine, "\(host): the same on every worker")
        }
        try await server.settle()
        #expect(server.events("request").isEmpty)
    }

    @Test("a URL that cannot be used is for the operator")
    func unusable() async throws {
        for url in [
            "", "api.openai.com", "ftp://127.0.0.1/v1", "file:///etc/passwd", "smtp://127.0.0.1:25/v1", "http://user:pass@127.0.0.1/v1",
        ] {
            let settings = EngineSettings(name: "hosted", stage: .speech, kind: .openai, url: url, model: "whisper-1")
            let client = OpenAIClient(settings, key: nil, transfers: transfers, allowsPrivateHosts: true)
            #expect(try await failure(client)?.treatment == .configuration, "\(url)")
        }
    }

    @Test("a key that does not fit into a header is for the operator, and is not sent")
    func unusableKey() async throws {
        for key in ["", "a b", "sk\nX-Evil: 1", "ü"] {
            let failure = try #require(try await failure(client(key: key)))
            #expect(failure.treatment == .configuration && failure.code == .engineRefused && failure.isFromEngine)
        }
        try await server.settle()
        #expect(server.events("request").isEmpty)
    }

    @Test("a refused connection is tried again")
    func refused() async throws {
        let settings = EngineSettings(name: "hosted", stage: .speech, kind: .openai, url: "http://127.0.0.1:1/v1", model: "whisper-1")
        let client = OpenAIClient(settings, key: nil, transfers: transfers, allowsPrivateHosts: true)
        let failure = try await failure(client)
        #expect(failure?.treatment == .retry && failure?.isFromEngine == true)
    }

    @Test("a recording that is gone is tried again")
    func goneFile() async throws {
        let form: [FormPart] = [.file("file", path: job.path + "/none", fileName: "a.m4a", contentType: "audio/mp4")]
        let client = client()
        let failure = await #expect(throws: ProviderFailure.self) { try await client.post("/audio/transcriptions", form: form) }
        #expect(failure?.treatment == .retry && failure?.code == .unexpected && failure?.isFromEngine == false)
    }

    @Test("D4: what a decoder that was taken over has put in the place of a recording, or of its wav, is not sent")
    func planted() async throws {
        let outside = try JobFolder()
        let secret = try outside.write([UInt8](repeating: 7, count: 100_000), "secret")
        let client = client()
        let engine = OpenAISpeechEngine(
            client.settings, client: client, sandbox: .taken(by: "echo; ln -s '\(secret)' tone.aac.16k.wav"), limits: RecordingLimits())
        try FileManager.default.createSymbolicLink(atPath: "\(job.path)/tone.m4a", withDestinationPath: secret)

        let wav = await #expect(throws: ProviderFailure.self) {
            try await engine.transcribe(job.verified("tone.aac", seconds: 1, contentType: "audio/aac"), SpeechRequest())
        }
        let recording = await #expect(throws: ProviderFailure.self) {
            try await engine.transcribe(job.verified("tone.m4a", seconds: 1), SpeechRequest())
        }

        #expect(wav?.code == .mediaUnreadable && recording?.code == .unexpected)
        #expect(wav?.isFromEngine == false && recording?.isFromEngine == false, "the server was not asked")
        try await server.settle()
        #expect(server.events("request").isEmpty)
    }

    @Test("a cancelled job ends its request at once")
    func cancelled() async throws {
        let client = client("hang", timeout: 600)
        let form = try form()
        let task = Task { try await client.post("/audio/transcriptions", form: form) }
        try await server.wait(for: "request")
        task.cancel()
        let failure = await #expect(throws: ProviderFailure.self) { try await task.value }
        #expect(failure?.treatment == .retry)
    }

    @Test("the engine: a recording too short for a word is not sent")
    func tooShort() async throws {
        let client = client()
        let engine = OpenAISpeechEngine(
            client.settings, client: client, sandbox: await TestSandbox.shared(), limits: RecordingLimits())
        try job.write([1, 2, 3], "blip.m4a")

        let answer = try await engine.transcribe(job.verified("blip.m4a", seconds: 0.05), SpeechRequest(userLanguages: ["de"]))

        #expect(answer.transcript.segments.isEmpty && answer.use == EngineUse() && !answer.isFromEngine)
        try await server.settle()
        #expect(server.events("request").isEmpty)
    }

    /// The engine's failure for two seconds of sound, and how often it has asked.
    private func hear(_ fault: String, failedTries: Int) async throws -> (failure: ProviderFailure?, requests: Int) {
        let client = client(fault)
        let engine = OpenAISpeechEngine(client.settings, client: client, sandbox: await TestSandbox.shared(), limits: RecordingLimits())
        try job.write([1, 2, 3], "tone.m4a")
        let before = server.events("request").count
        let failure = await #expect(throws: ProviderFailure.self) {
            try await engine.transcribe(
                job.verified("tone.m4a", seconds: 2), SpeechRequest(language: "en", failedTries: failedTries))
        }
        try await server.settle()
        return (failure, server.events("request").count - before)
    }

    @Test("the engine: an answer that cannot be read, or is too long, is asked for twice at the first try, and paid for; a refusal is not")
    func unreadable() async throws {
        for (failedTries, calls) in [(0, 2), (1, 1), (7, 1)] {
            var malformed = OpenAIFault.malformed(.speech)
            malformed.use = EngineUse(audioSeconds: 2 * Double(calls))
            for fault in ["html", "shape", "babble", "empty-body"] {
                let (failure, requests) = try await hear(fault, failedTries: failedTries)
                #expect(failure == malformed && requests == calls, "\(fault)")
            }
            for fault in ["400", "500", "large"] {
                let (failure, requests) = try await hear(fault, failedTries: failedTries)
                #expect(failure?.use == EngineUse() && requests == 1, "\(fault)")
            }
        }
    }

    @Test("the engine: a recording whose answer breaks off is sent once more; then the words count up to there")
    func brokenOff() async throws {
        let client = client("bad-json")
        let engine = OpenAISpeechEngine(
            client.settings, client: client, sandbox: await TestSandbox.shared(), limits: RecordingLimits())
        try job.write([1, 2, 3], "tone.m4a")

        let answer = try await engine.transcribe(job.verified("tone.m4a", seconds: 2), SpeechRequest(language: "en"))

        #expect(answer.transcript.text == "This ends in the mid" && answer.use == EngineUse(audioSeconds: 4))
        try await server.settle()
        #expect(server.events("request").count == 2)
    }

    @Test("the engine: what was heard first stays when the answer in another language cannot be read; both are paid for")
    func unreadableSecond() async throws {
        let client = client("second-language")
        let engine = OpenAISpeechEngine(
            client.settings, client: client, sandbox: await TestSandbox.shared(), limits: RecordingLimits())
        try job.write([1, 2, 3], "tone.m4a")

        for (failedTries, calls) in [(0, 2), (1, 1)] {
            let before = server.events("request").count
            let answer = try await engine.transcribe(
                job.verified("tone.m4a", seconds: 2), SpeechRequest(userLanguages: ["de"], failedTries: failedTries))

            #expect(answer.transcript.text.hasPrefix("Um these words were heard in"))
            // The first answer says three seconds, as the server's do; of each answer in the other language the recording's two count.
            #expect(answer.use.audioSeconds == 3 + 2 * Double(calls))
            try await server.settle()
            #expect(server.events("request").count - before == 1 + calls)
        }
    }

    @Test("the engine: a server that refuses the account's hints hears the recording without them, and once more only")
    func refusedHints() async throws {
        try await ffmpeg(job, ["-f", "lavfi", "-i", "sine=frequency=440:duration=1", "-c:a", "aac", "tone.m4a"])
        let client = client("hints")
        let engine = OpenAISpeechEngine(
            client.settings, client: client, sandbox: await TestSandbox.shared(), limits: RecordingLimits())

        let answer = try await engine.transcribe(
            job.verified("tone.m4a", seconds: 1), SpeechRequest(language: "en", vocabulary: ["Kreuzberg"]))

        #expect(answer.transcript.text.hasPrefix("Um these words were heard in"))
        try await server.settle()
        #expect(server.events("request").count == 2)
    }

    @Test(
        "the engine: a server that refuses the voices of speakers, or does not know their fields, hears the recording without them",
        arguments: ["voices", "unknown-voices"])
    func refusedVoices(fault: String) async throws {
        try await ffmpeg(job, ["-f", "lavfi", "-i", "sine=frequency=440:duration=1", "-c:a", "aac", "tone.m4a"])
        let settings = EngineSettings(
            name: "hosted", stage: .speech, kind: .openai, url: "http://127.0.0.1:\(server.port("http"))/fault/\(fault)/v1",
            model: "gpt-4o-transcribe-diarize", timeoutSeconds: 20)
        let engine = OpenAISpeechEngine(
            settings, client: OpenAIClient(settings, key: nil, transfers: transfers, allowsPrivateHosts: true),
            sandbox: await TestSandbox.shared(), limits: RecordingLimits())
        var request = SpeechRequest(language: "en")
        request.speakers = [KnownSpeaker(name: "known_1", sample: [1, 2, 3], contentType: "audio/ogg")]

        let answer = try await engine.transcribe(job.verified("tone.m4a", seconds: 1), request)

        #expect(engine.mostKnownSpeakers == 4)
        #expect(answer.transcript.text.hasPrefix("Um these words were heard in"))
        try await server.settle()
        #expect(server.events("request").count == 2)
    }

    @Test("the engine: raw AAC is sent as a wav, and the copy is deleted")
    func rawAAC() async throws {
        try await ffmpeg(job, ["-f", "lavfi", "-i", "sine=frequency=440:duration=1", "-c:a", "aac", "-f", "adts", "tone.aac"])
        let client = client()
        let engine = OpenAISpeechEngine(
            client.settings, client: client, sandbox: await TestSandbox.shared(), limits: RecordingLimits())

        let answer = try await engine.transcribe(job.verified("tone.aac", seconds: 1, contentType: "audio/aac"), SpeechRequest())

        #expect(answer.transcript.language == "en" && answer.transcript.text.hasPrefix("Um these words were heard in"))
        #expect(job.names == ["tone.aac"])
        try await server.settle()
        let bytes = try #require(server.events("request").first?["bytes"] as? Int)
        #expect((32_000...40_000).contains(bytes), "a second of 16,000 samples of two bytes")
    }

    @Test("the engine: raw AAC whose wav would be over the server's limit is sent as Opus in Ogg")
    func longRawAAC() async throws {
        try await ffmpeg(job, ["-f", "lavfi", "-i", "sine=frequency=440:duration=5", "-c:a", "aac", "-f", "adts", "tone.aac"])
        let settings = EngineSettings(
            name: "hosted", stage: .speech, kind: .openai, url: "http://127.0.0.1:\(server.port("http"))/v1", model: "whisper-1",
            timeoutSeconds: 20, maxBytes: 100_000, maxSeconds: 0)
        let sandbox = await TestSandbox.shared()
        let engine = OpenAISpeechEngine(
            settings, client: OpenAIClient(settings, key: nil, transfers: transfers, allowsPrivateHosts: true), sandbox: sandbox,
            limits: RecordingLimits())

        let answer = try await PartedSpeechEngine.wrap(engine, settings, sandbox: sandbox)
            .transcribe(job.verified("tone.aac", seconds: 5, contentType: "audio/aac"), SpeechRequest())

        #expect(answer.transcript.text.hasPrefix("Um these words were heard in"))
        #expect(job.names == ["tone.aac"])
        try await server.settle()
        #expect(server.events("request").count == 1)
        let bytes = try #require(server.events("request").first?["bytes"] as? Int)
        #expect((10_000...30_000).contains(bytes), "five seconds of 24 kbit/s, and the form")
    }
}
