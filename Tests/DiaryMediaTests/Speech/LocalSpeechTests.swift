import CurlTransfer
import DiaryCore
import FoundationEssentials
import TestServers
import Testing

@testable import DiaryMedia

@Suite("The local engine, with the speech server")
struct LocalSpeechTests {
    private func engine(
        _ socket: String, _ sandbox: Sandbox, limits: RecordingLimits = RecordingLimits(), seconds: Int? = nil
    ) throws -> any SpeechEngine {
        var settings = LocalSpeechEngine.settings()
        settings.maxSeconds = seconds ?? settings.maxSeconds
        let client = OpenAIClient(settings, socket: socket, transfers: try CurlTransfers(TransferConfiguration(hosts: [])))
        return PartedSpeechEngine.wrap(LocalSpeechEngine(client), settings, sandbox: sandbox, limits: limits)
    }

    @Test("hears the sample in parts: at most 5 % of words wrong, each with its time, and all that is said has words")
    func sample() async throws {
        let job = try JobFolder()
        let sandbox = await TestSandbox.shared()
        try job.write(Samples.walk(), "walk.m4a")
        var request = SpeechRequest(vocabulary: ["Barnaby"])
        request.offered = ["en-GB", "de"]

        let answer = try await engine(PrivateSpeech.shared().socket, sandbox, seconds: 20)
            .transcribe(job.verified("walk.m4a", seconds: 37.4), request)

        let transcript = answer.transcript
        let words = transcript.segments.flatMap(\.words)
        let (said, heard) = (keys(try Samples.reference()), keys(words.map(\.text).joined(separator: " ")))
        #expect(Double(said.difference(from: heard).count) <= 2 * 0.05 * Double(said.count), "\(heard)")
        #expect(transcript.language == "en-GB" && answer.model == "tiny.en")
        #expect(zip(words, words.dropFirst()).allSatisfy { $0.end <= $1.start + 0.01 })
        #expect(words.allSatisfy { $0.start < $0.end && $0.end < 37.5 && (0...1).contains($0.confidence) })
        let voice = try #require(transcript.voice)
        #expect((25...36).contains(voice.seconds))
        let coverage = VoiceCoverage(voice: voice, segments: transcript.segments)
        #expect(coverage.gaps.isEmpty && coverage.thousandths == 1_000)
        #expect(job.names == ["walk.m4a"], "plain speech is deleted")
    }

    private func keys(_ text: String) -> [String] { text.split { $0.isWhitespace }.map { WordKey.of(String($0)) } }

    @Test(
        "silence and noise are recordings without speech, and no model is asked",
        arguments: ["anullsrc=r=44100:cl=mono", "anoisesrc=a=0.1"])
    func silence(_ source: String) async throws {
        let job = try JobFolder()
        try await ffmpeg(job, ["-f", "lavfi", "-t", "3", "-i", source, "-c:a", "aac", "quiet.m4a"])

        let transcript = try await engine(PrivateSpeech.shared().socket, await TestSandbox.shared())
            .transcribe(job.verified("quiet.m4a", seconds: 3, contentType: "audio/m4a"), language: nil)

        #expect(transcript.text.isEmpty && transcript.voice == [] && transcript.language == "und")
    }

    @Test("A10: without the server recordings wait, and no try is counted", arguments: ["gone", "deaf"])
    func missing(_ state: String) async throws {
        let job = try JobFolder()
        try await ffmpeg(job, ["-f", "lavfi", "-t", "1", "-i", "sine", "-c:a", "aac", "a.m4a"])
        // A file in the place of the socket refuses connections as the socket of a server does that was killed.
        if state == "deaf" { try job.write("", "s") }

        let failure = await #expect(throws: ProviderFailure.self) {
            try await engine("\(job.path)/s", await TestSandbox.shared()).transcribe(job.verified("a.m4a", seconds: 1), language: nil)
        }

        #expect(failure?.code == .speechUnavailable && failure?.isOutage == true && failure?.isTry == false)
    }

    @Test("a server that is busy says when to come again, which counts no try; one that fails in the middle counts one")
    func busy() {
        let busy = LocalSpeechEngine.failure(ProviderFailure(.retry, code: .speechUnavailable, retryAfter: 7, cause: "status 503"))
        let broken = LocalSpeechEngine.failure(ProviderFailure(.retry, code: .speechUnavailable, cause: "status 500"))

        #expect(busy.isWait && busy.retryAfter == 7)
        #expect(broken.isTry && !broken.isWait && !broken.isOutage)
    }

    @Test("does not probe, and still refuses what the probe would: a codec, a container, a length, a path")
    func unverified() async throws {
        let job = try JobFolder()
        try await ffmpeg(job, ["-f", "lavfi", "-t", "1", "-i", "sine", "-c:a", "ac3", "-f", "mp4", "ac3.m4a"])
        try job.write("#EXTM3U\n#EXTINF:10,\n/etc/passwd\n#EXT-X-ENDLIST\n", "playlist.m4a")
        try job.write(Samples.walk(), "walk.m4a")
        let engine = try engine("/nowhere", await TestSandbox.shared(), limits: RecordingLimits(duration: 60))
        let recordings = [
            (job.verified("ac3.m4a", seconds: 1), ProcessingCode.mediaUnreadable),
            (job.verified("playlist.m4a", seconds: 1), .mediaUnreadable),
            (job.verified("walk.m4a", seconds: 61), .mediaTooLong), (job.verified("walk.m4a", seconds: .nan), .mediaTooLong),
            (job.verified("../walk.m4a", seconds: 1), .unexpected),
        ]

        for (recording, code) in recordings {
            let failure = await #expect(throws: ProviderFailure.self) { try await engine.transcribe(recording, language: nil) }
            #expect(failure?.treatment == .permanent && failure?.code == code)
        }
    }

    @Test("the server finds voice for engines of other kinds")
    func detector() async throws {
        let job = try JobFolder()
        let sandbox = await TestSandbox.shared()
        try job.write(Samples.walk(), "walk.m4a")
        let socket = try await PrivateSpeech.shared().socket
        let client = OpenAIClient(
            LocalSpeechEngine.settings(), socket: socket, transfers: try CurlTransfers(TransferConfiguration(hosts: [])))
        let detector = LocalVoiceDetector(socket: socket, client: client)
        let cutter = try await RecordingCutter.open(job.verified("walk.m4a", seconds: 37.4), sandbox: sandbox, limits: RecordingLimits())

        let voice = try #require(await detector.voice(try await cutter.part(from: 0, to: 37.4, as: .wav)))

        #expect(detector.isAvailable && (25...36).contains(voice.seconds))
        #expect(!LocalVoiceDetector(socket: "/nowhere", client: client).isAvailable)
    }
}
