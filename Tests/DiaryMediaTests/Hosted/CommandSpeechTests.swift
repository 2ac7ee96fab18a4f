import DiaryCore
import FoundationEssentials
import Testing

@testable import DiaryMedia

@Suite("An operator's speech program")
struct CommandSpeechTests {
    let job: JobFolder

    init() throws { job = try JobFolder() }

    /// As whisper.cpp's `-ojf` writes it, with a token that is half a character.
    static let output =
        Array(
            """
            {"systeminfo": "AVX = 1", "model": {"type": "base", "multilingual": true}, "params": {"model": "m.bin", "language": "auto"},
             "result": {"language": "de"}, "transcription": [
             {"timestamps": {"from": "00:00:00,000", "to": "00:00:01,000"}, "offsets": {"from": 0, "to": 1000}, "text": " Guten Tag, Ann",
              "tokens": [{"text": "[_BEG_]", "offsets": {"from": 0, "to": 0}, "id": 50364, "p": 0.99},
                         {"text": " Gut", "offsets": {"from": 0, "to": 200}, "p": 0.8}, {"text": "en", "offsets": {"from": 200, "to": 400}, "p": 0.6},
                         {"text": " Tag", "offsets": {"from": 400, "to": 600}, "p": 0.9}, {"text": ",", "offsets": {"from": 600, "to": 620}, "p": 0.5},
                         {"text": " Ann
            """.utf8) + [0xC3] + Array("\", \"offsets\": {\"from\": 620, \"to\": 1000}, \"p\": 0.2}]}]}".utf8)

    @Test("whisper.cpp's JSON: words of tokens, times in milliseconds, language and model")
    func reply() throws {
        let heard = try #require(CommandReply.read(Self.output, seconds: 5))
        let segment = try #require(heard.speechSegments(duration: 5).first)

        #expect(heard.language == "de" && heard.model == "base")
        #expect(segment.text == "Guten Tag, Ann")
        #expect(segment.words.map(\.start) == [0, 0.4, 0.62])
        #expect(segment.words.map(\.end) == [0.4, 0.6, 1])
        #expect(segment.words.map { ($0.confidence * 10).rounded() } == [7, 9, 2])
    }

    @Test(
        "anything else is not taken",
        arguments: ["", "[]", "{}", "Guten Tag", #""Guten Tag""#, #"{"transcription": "Guten Tag"}"#, #"{"text": "Guten Tag"}"#])
    func otherOutput(text: String) {
        #expect(CommandReply.read(Array(text.utf8), seconds: 5) == nil)
    }

    @Test("an entry without words is left out, a measure that is no number counts as none, and JSON may break off")
    func flaws() throws {
        let output = #"{"transcription": [{"offsets": {}}, 7, {"text": " Guten", "offsets": {"from": NaN, "to": 900}}, {"text": " Tag, An"#
        let heard = try #require(CommandReply.read(Array(output.utf8), seconds: 5))
        #expect(heard.segments.map(\.text) == [" Guten", " Tag, An"])
        #expect(heard.segments.map(\.start) == [nil, nil] && heard.segments.map(\.end) == [0.9, nil])
    }

    @Test("the command line: file and language are filled in, once")
    func commandLine() throws {
        let words = ["/opt/w/run", "-m", "/opt/m/base.bin", "-f", "{file}", "-l", "{language}", "x{file}y", "/usr/share/a", "/etc/../etc"]
        let command = try #require(SpeechCommand(words, file: "/job/{language}.wav", language: "de-CH"))
        #expect(command.arguments[3] == "/job/{language}.wav" && command.arguments[5] == "de")
        #expect(command.arguments[6] == "x/job/{language}.wavy")
        #expect(command.readable == ["/opt/w", "/opt/m/base.bin"])
        #expect(SpeechCommand(["/x", "{language}"], file: "f", language: nil)?.arguments == ["auto"])
        #expect(SpeechCommand(["run"], file: "f", language: nil) == nil)
        #expect(SpeechCommand([], file: "f", language: nil) == nil)
        #expect(SpeechCommand(["/run"], file: "f", language: nil)?.readable == [], "not the whole disk")
    }

    private func engine(_ script: String, timeout: Int = 30) async -> CommandSpeechEngine {
        CommandSpeechEngine(
            EngineSettings(
                name: "local-whisper", stage: .speech, kind: .command, command: ["/bin/sh", "-c", script, "sh", "{file}", "{language}"],
                timeoutSeconds: timeout), sandbox: await TestSandbox.shared(), limits: RecordingLimits())
    }

    private func tone() async throws -> VerifiedRecording {
        try await ffmpeg(job, ["-f", "lavfi", "-i", "sine=frequency=440:duration=2", "-c:a", "aac", "tone.m4a"])
        return job.verified("tone.m4a", seconds: 2)
    }

    @Test("a program reads a 16 kHz mono wav and prints what it heard")
    func program() async throws {
        let script = #"""
            bytes=$(wc -c < "$1"); head=$(head -c 4 "$1")
            printf '{"result": {"language": "%s"}, "transcription": [{"offsets": {"from": 0, "to": 900}, "text": " %s %s"}]}' "$2" "$head" "$bytes"
            """#
        let answer = try await engine(script).transcribe(try await tone(), SpeechRequest(language: "de-AT"))

        let words = answer.transcript.segments.first?.words.map(\.text) ?? []
        #expect(words.first == "RIFF")
        #expect((60_000...72_000).contains(words.last.flatMap { Int($0) } ?? 0), "two seconds of 16,000 samples of two bytes")
        #expect(answer.transcript.language == "de-AT")
        #expect(answer.use.audioSeconds == 2)
        #expect(job.names == ["tone.m4a"], "the decoded sound is deleted")
    }

    @Test("the program's own folder and its files can be read outside /usr")
    func ownFolder() async throws {
        // The sandbox has a `/tmp` of its own.
        let own = "/var/tmp/diary-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: own, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: own) }
        try Data("#!/bin/sh\ncat \"$1\"\n".utf8).write(to: URL(filePath: "\(own)/run"))
        try Data(#"{"transcription": []}"#.utf8).write(to: URL(filePath: "\(own)/model"))
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: "\(own)/run")
        let settings = EngineSettings(name: "w", stage: .speech, kind: .command, command: ["\(own)/run", "\(own)/model"])
        let engine = CommandSpeechEngine(settings, sandbox: await TestSandbox.shared(), limits: RecordingLimits())

        let answer = try await engine.transcribe(try await tone(), SpeechRequest())

        #expect(answer.transcript.segments.isEmpty && answer.transcript.language == "und")
    }

    @Test(
        "its failures are classified",
        arguments: [
            ("echo no json", .configuration, .speechUnavailable), ("exit 3", .configuration, .speechUnavailable),
            ("exit 65", .permanent, .mediaUnreadable), ("exit 75", .retry, .speechUnavailable), ("kill -9 $$", .retry, .speechUnavailable),
            ("kill -11 $$", .permanent, .speechUnavailable), ("exec sleep 60", .retry, .speechTimeout),
            ("head -c 20000000 /dev/zero", .permanent, .mediaLimits),
            // More than two seconds can hold.
            (#"printf '{"transcription": [{"text": "%030000d"}]}' 7"#, .configuration, .speechUnavailable),
        ] as [(String, ProviderFailure.Treatment, ProcessingCode)])
    func failures(script: String, treatment: ProviderFailure.Treatment, code: ProcessingCode) async throws {
        let recording = try await tone()
        let engine = await engine(script, timeout: 2)
        do {
            _ = try await engine.transcribe(recording, SpeechRequest())
            Issue.record("it answered")
        } catch {
            #expect(error.treatment == treatment && error.code == code, "\(error)")
        }
        #expect(job.names == ["tone.m4a"])
    }

    /// With the time that it has for half a second of sound and a limit of a second: two seconds.
    private func end(of script: String, share: Double, failedTries: Int) async throws -> ProviderFailure? {
        try await ffmpeg(job, ["-f", "lavfi", "-i", "sine=frequency=440:duration=0.5", "-c:a", "aac", "tone.m4a"])
        var engine = await engine(script, timeout: 1)
        engine.share = share
        do throws(ProviderFailure) {
            _ = try await engine.transcribe(job.verified("tone.m4a", seconds: 0.5), SpeechRequest(failedTries: failedTries))
            return nil
        } catch {
            return error
        }
    }

    @Test("a program out of time is tried again while the machine was busy, twice at most, and never where it had its share of it")
    func outOfTime() async throws {
        // It uses nothing, as on a machine that gives it nothing.
        for (tries, treatment) in [(1, ProviderFailure.Treatment.retry), (2, .permanent)] {
            let failure = try await end(of: "exec sleep 60", share: 0.25, failedTries: tries)
            #expect(failure?.treatment == treatment && failure?.code == .speechTimeout && failure?.isFromEngine == false)
        }
        // Whatever it has used is its share.
        #expect(try await end(of: "exec sleep 60", share: 0, failedTries: 0) == SpeechCommandFailure.tooSlow)
        #expect(SpeechCommandFailure.tooSlow.treatment == .permanent && !SpeechCommandFailure.tooSlow.isFromEngine)
        #expect(SpeechCommandFailure.classify(.signaled(24)) == SpeechCommandFailure.tooSlow)
    }

    @Test("a long recording has longer than the engine's time limit")
    func longer() async throws {
        _ = try await tone()
        let engine = await engine(#"sleep 2; echo '{"transcription": []}'"#, timeout: 1)

        let answer = try await engine.transcribe(job.verified("tone.m4a", seconds: 60), SpeechRequest())

        #expect(answer.transcript.segments.isEmpty)
    }

    @Test("a program that is not there is for the operator")
    func missing() async throws {
        for command in [["/nowhere/whisper"], ["whisper"], []] {
            let settings = EngineSettings(name: "w", stage: .speech, kind: .command, command: command)
            let engine = CommandSpeechEngine(settings, sandbox: await TestSandbox.shared(), limits: RecordingLimits())
            let recording = try await tone()
            let failure = await #expect(throws: ProviderFailure.self) { try await engine.transcribe(recording, SpeechRequest()) }
            #expect(failure?.treatment == .configuration)
        }
    }
}
