import DiaryCore
import FoundationEssentials
import Testing

@testable import DiaryMedia

@Suite("The local recogniser")
struct RecognizerTests {
    /// Of the sample's 37: recognition costs half a second of a core for each. Five sentences, with fillers, a paragraph and its pause.
    private static let seconds = 26.0

    @Test("transcribes the sample: at most 10 % of words wrong, fillers in raw and not in clean, times in order")
    func sample() async throws {
        let job = try JobFolder()
        let sandbox = await TestSandbox.shared()
        try job.write(Samples.walk(), "all.m4a")
        try await ffmpeg(job, ["-t", "\(Self.seconds)", "-i", "all.m4a", "-c", "copy", "walk.m4a"])

        let raw = try await PocketSphinxRecognizer(sandbox: sandbox)
            .transcribe(job.verified("walk.m4a", seconds: Self.seconds), language: "en-US")
        let clean = try await RulesCleaner().clean(raw)

        #expect(try await wordErrorRate(raw.text, job, sandbox) <= 0.10)
        #expect(raw.text.contains("you know"))
        #expect(raw.text.contains("like"))
        #expect(!clean.lowercased().contains("you know"))
        #expect(!clean.lowercased().contains("like"))
        #expect(clean.contains("It was the quiet time of the morning and the water was very still."))
        #expect(clean.contains("And I just sat there for ten minutes and did nothing at all.\n\nOn the way home"))
        let words = raw.segments.flatMap(\.words)
        #expect(zip(words, words.dropFirst()).allSatisfy { $0.end <= $1.start })
        #expect(
            words.allSatisfy { $0.start < $0.end && $0.end < Self.seconds && (0...1).contains($0.confidence) && !$0.text.contains("(") })
        #expect(words.last.map { $0.start > 24 } == true)
        #expect(job.names.filter { $0.hasSuffix(".wav") }.isEmpty)
    }

    /// Computed by the script next to the sample.
    private func wordErrorRate(_ hypothesis: String, _ job: JobFolder, _ sandbox: Sandbox) async throws -> Double {
        try job.write(Samples.bytes("\(Samples.folder)/word_error_rate.py"), "rate.py")
        let reference = try #require(Samples.reference().split(separator: "She wants").first)
        try job.write(String(reference), "reference")
        try job.write(hypothesis, "hypothesis")
        let folder = sandbox.isolation == .namespaces ? "/job" : job.path
        let child = ChildProcess(
            program: "python3", arguments: ["\(folder)/rate.py", "\(folder)/reference", "\(folder)/hypothesis"], folder: job.path,
            limits: ChildLimits(cpuSeconds: 20, wallSeconds: 30, addressSpace: 1 << 30, fileSize: 1 << 20))
        let outcome = try await child.run(in: sandbox)
        return try #require(Double(String(decoding: outcome.standardOutput, as: UTF8.self).filter { !$0.isWhitespace }))
    }

    @Test("silence is a recording without speech, not an error")
    func silence() async throws {
        let job = try JobFolder()
        try await ffmpeg(job, ["-f", "lavfi", "-t", "3", "-i", "anullsrc=r=44100:cl=mono", "-c:a", "aac", "quiet.m4a"])

        let raw = try await PocketSphinxRecognizer(sandbox: await TestSandbox.shared())
            .transcribe(job.verified("quiet.m4a", seconds: 3, contentType: "audio/m4a"), language: nil)

        #expect(raw.text.isEmpty)
    }

    @Test("A10: a language other than English is refused permanently")
    func otherLanguage() async throws {
        let recognizer = PocketSphinxRecognizer(sandbox: Sandbox(isolation: .limitsOnly))

        let failure = await #expect(throws: ProviderFailure.self) {
            try await recognizer.transcribe(
                VerifiedRecording(path: "/x/a.m4a", folder: "/x", contentType: "audio/mp4", durationSeconds: 1), language: "de")
        }

        #expect(failure?.treatment == .permanent)
        #expect(failure?.code == .languageUnsupported)
    }

    @Test("A10: a missing model is a fault of the configuration")
    func missingModel() async throws {
        let job = try JobFolder()
        try job.write(Samples.walk(), "walk.m4a")
        let recognizer = PocketSphinxRecognizer(
            sandbox: await TestSandbox.shared(), model: PocketSphinxModel(acoustic: "/usr/no-such-model"))

        let failure = await #expect(throws: ProviderFailure.self) {
            try await recognizer.transcribe(job.verified("walk.m4a", seconds: 37.4), language: "en")
        }

        #expect(failure?.treatment == .configuration)
    }

    @Test("does not probe, and still refuses what the probe would: a codec, a container, a length, a path")
    func unverified() async throws {
        let job = try JobFolder()
        try await ffmpeg(job, ["-f", "lavfi", "-t", "1", "-i", "sine", "-c:a", "ac3", "-f", "mp4", "ac3.m4a"])
        try job.write("#EXTM3U\n#EXTINF:10,\n/etc/passwd\n#EXT-X-ENDLIST\n", "playlist.m4a")
        try job.write(Samples.walk(), "walk.m4a")
        let recognizer = PocketSphinxRecognizer(sandbox: await TestSandbox.shared(), limits: RecordingLimits(duration: 60))
        let recordings = [
            (job.verified("ac3.m4a", seconds: 1), ProcessingCode.mediaUnreadable),
            (job.verified("playlist.m4a", seconds: 1), .mediaUnreadable),
            (job.verified("walk.m4a", seconds: 61), .mediaTooLong), (job.verified("walk.m4a", seconds: .nan), .mediaTooLong),
            (job.verified("../walk.m4a", seconds: 1), .unexpected),
        ]

        for (recording, code) in recordings {
            let failure = await #expect(throws: ProviderFailure.self) { try await recognizer.transcribe(recording, language: nil) }
            #expect(failure?.treatment == .permanent && failure?.code == code)
        }
    }

    @Test("parses the recogniser's lines: marks and alternate pronunciations are dropped, utterances become segments")
    func output() {
        let output = """
            i saw to
            <s> 0.070 0.100 0.996904
            i 0.110 0.440 1.000200
            [NOISE] 0.450 0.500 0.5
            saw 0.510 0.960 0.9
            <sil> 0.970 1.070 0.9
            to(3) 1.080 1.370 0.6
            </s> 1.380 1.500 1.0

            <s> 3.000 3.100 1.0
            home 3.110 3.500 -0.1
            </s> 3.510 3.600 1.0
            <s> 5.000 5.100 1.0
            </s> 5.110 5.600 1.0
            torn 5.7
            """

        let segments = PocketSphinxOutput.segments(output)

        #expect(segments.map(\.text) == ["i saw to", "home"])
        #expect(segments.first?.words.map(\.confidence) == [1, 0.9, 0.6])
        #expect(segments.last?.words.first?.confidence == 0)
        #expect(segments.first?.end == 1.37)
    }
}
