import ArgumentParser
import DiaryCore
import DiaryCrypto
import Testing

@testable import DiaryApp

@Suite("Commands for engines and secrets")
struct EngineCommandTests {
    private static let hosted = [
        "my-day", "speech", "openai", "--kind", "openai", "--url", "https://api.openai.com/v1", "--model", "whisper-1",
    ]

    private func refusal(_ words: [String]) -> String? {
        do {
            let command = try TenantCommand.Engine.Set.parse(words)
            _ = try command.checked(command.settings())
            return nil
        } catch { return TenantCommand.Engine.Set.message(for: error) }
    }

    @Test("every option of an engine arrives in its settings; the address loses the slash at its end")
    func options() throws {
        let words = [
            "my-day", "speech", "openai", "--kind", "openai", "--url", "https://API.openai.com/v1/", "--model", "whisper-1", "--secret",
            "openai-key",
            "--timeout", "120", "--slots", "8", "--price-per-minute", "0.006", "--price-per-million-input", "2.5",
            "--price-per-million-output", "10",
            "--after-failure", "wait", "--position", "1",
        ]
        let command = try TenantCommand.Engine.Set.parse(words)

        #expect(
            try command.settings()
                == EngineSettings(
                    name: "openai", stage: .speech, kind: .openai, url: "https://api.openai.com/v1", model: "whisper-1",
                    secret: "openai-key",
                    timeoutSeconds: 120, slots: 8,
                    price: EnginePrice(perMinute: 6_000, perMillionInputTokens: 2_500_000, perMillionOutputTokens: 10_000_000),
                    afterFailure: .wait))
        #expect(command.chain.slug == "my-day" && command.position == 1)
    }

    @Test("a program's arguments may begin with a hyphen")
    func program() throws {
        let words = ["--command", "/usr/local/bin/whisper-cli", "--command", "-m", "--command", "/srv/model.bin"]
        let command = try TenantCommand.Engine.Set.parse(["my-day", "speech", "own", "--kind", "command"] + words)

        #expect(try command.settings().command == ["/usr/local/bin/whisper-cli", "-m", "/srv/model.bin"])
    }

    @Test("what cannot be is refused with the option's name")
    func refused() {
        #expect(refusal(Self.hosted) == nil)
        for (words, part) in [
            (["--price-per-minute", "six"], "--price-per-minute must be"), (["--timeout", "0"], "--timeout must be"),
            (["--slots", "0"], "--slots must be"),
            (["--position", "0"], "--position must be"), (["--after-failure", "never"], "next"),
            (["--command", "/bin/x"], "--command is for"),
            (["--secret", "Ä"], "--secret must be"),
        ] {
            #expect(refusal(Self.hosted + words)?.contains(part) == true, "\(words)")
        }
        #expect(refusal(["my-day", "dreams", "x", "--kind", "local"])?.contains("speech") == true)
        #expect(refusal(["my-day", "speech", "x", "--kind", "groq"])?.contains("openai") == true)
        #expect(refusal(["my-day", "speech", "x", "--kind", "openai", "--model", "m"])?.contains("--url is required") == true)
        #expect(refusal(["my-day", "speech", "x", "--model", "m"])?.contains("--kind is required") == true)
    }

    @Test("of an engine that is there only what is given changes; what can be absent can be taken away; another kind begins anew")
    func changes() throws {
        let old = EngineSettings(
            name: "openai", stage: .speech, kind: .openai, url: "https://a.example/v1", model: "whisper-1", secret: "key",
            timeoutSeconds: 90, slots: 2, price: EnginePrice(perMinute: 6_000), maxBytes: 0, maxSeconds: 300, afterFailure: .wait,
            isLocal: true)
        func changed(_ words: String...) throws -> EngineSettings {
            try TenantCommand.Engine.Set.parse(["my-day", "speech", "openai"] + words).settings(changing: old)
        }

        #expect(try changed() == old)
        var model = old
        model.model = "whisper-2"
        #expect(try changed("--model", "whisper-2") == model)
        var plain = old
        (plain.secret, plain.isLocal, plain.afterFailure, plain.price, plain.maxSeconds) = (nil, false, .next, .free, nil)
        #expect(
            try changed("--secret", "", "--no-local", "--after-failure", "next", "--price-per-minute", "0", "--max-seconds", "0") == plain)
        #expect(try changed("--kind", "local") == EngineSettings(name: "openai", stage: .speech, kind: .local))
    }

    @Test("a secret given as an argument is refused and not repeated")
    func argument() {
        let error = #expect(throws: (any Error).self) {
            _ = try TenantCommand.Secret.Set.parse(["my-day", "openai-key", "sk-hunter2"])
        }
        let text = error.map { TenantCommand.Secret.Set.fullMessage(for: $0) } ?? ""

        #expect(text.contains("from standard input, never from an argument") && !text.contains("hunter2"))
    }

    @Test("a secret is what comes on standard input without one line end; nothing, spaces and what no header holds are refused")
    func input() throws {
        func read(_ text: String) throws -> String {
            String(decoding: try SecretInput.secret(Array(text.utf8), "example").bytes(), as: UTF8.self)
        }

        for text in ["sk-1", "sk-1\n", "sk-1\r\n"] { #expect(try read(text) == "sk-1") }
        for text in ["", "\n", "sk 1", "sk-1\n\n", "\u{0}", "schlüssel", String(repeating: "a", count: 4_097)] {
            let error = #expect(throws: CommandFailure.self) { try read(text) }
            #expect(error?.description.contains("sk") == false)
        }
        #expect(try read(String(repeating: "a", count: 4_096) + "\n").count == 4_096)
    }

    @Test("what an operator can do follows from the failure: a refused key is set again, where the key is kept")
    func advice() {
        func advice(_ treatment: ProviderFailure.Treatment, _ code: ProcessingCode, secret: String?, cause: String = "x") -> String {
            let settings = EngineSettings(
                name: "openai", stage: .speech, kind: .openai, url: "https://a.example/v1", model: "m", secret: secret)
            return EngineTrial.advice(ProviderFailure(treatment, code: code, cause: cause), settings, "my-day")
        }

        #expect(advice(.configuration, .engineRefused, secret: "key").hasSuffix("| diary tenant secret set my-day key"))
        #expect(advice(.configuration, .engineRefused, secret: nil).contains("DIARY_SPEECH_KEY"))
        #expect(advice(.configuration, .engineRefused, secret: "key", cause: "status 429: no credit").contains("no credit left"))
        #expect(
            advice(.configuration, .speechUnavailable, secret: nil, cause: "its host has a private address").contains(
                "DIARY_ENGINES_PRIVATE=1"))
        #expect(
            advice(.configuration, .speechUnavailable, secret: "key", cause: "the secret key is not set").hasSuffix(
                "diary tenant secret set my-day key"))
        #expect(advice(.configuration, .speechUnavailable, secret: nil).contains("https://a.example/v1/models"))
        #expect(advice(.retry, .speechTimeout, secret: nil).contains("is the server there?"))
        #expect(advice(.permanent, .speechTimeout, secret: nil).contains("--timeout"))
    }

    @Test("the sample is the recording that it is said to be")
    func sample() throws {
        let recording = try #require(EngineSample.recording)

        #expect(recording.count == 7_300 && recording.dropFirst(4).prefix(4).elementsEqual("ftyp".utf8))
        #expect(EngineSample.transcript.text.contains("walked"))
    }
}
