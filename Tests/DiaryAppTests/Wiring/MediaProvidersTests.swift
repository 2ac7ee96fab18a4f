import CurlTransfer
import DiaryCore
import TestSupport
import Testing

@testable import DiaryApp
@testable import DiaryMedia

@Suite("Choice of media providers", .timeLimit(.minutes(1)))
struct MediaProvidersTests {
    private func providers(
        _ changes: [String: String?], where isolation: Sandbox.Isolation? = nil
    ) async throws -> MediaProviders {
        let media = try WorkerSettings(.service(changes)).media
        let factory = try EngineFactory(media, limits: Limits(), logger: .quiet) {
            if let isolation { Sandbox(isolation: isolation) } else { try await Sandbox.detect() }
        }
        let providers = try await MediaProviders(media, factory: factory)
        await factory.transfers.close(within: .zero)
        return providers
    }

    @Test("D4: where the sandbox is required and only limits hold the worker does not start; it does where the sandbox is preferred")
    func required() async throws {
        let required = ["DIARY_SANDBOX": "required"]

        let error = await #expect(throws: SettingsError.self) { try await providers(required, where: .limitsOnly) }
        #expect(error?.name == "DIARY_SANDBOX" && error?.reason.hasPrefix("is required, but a trial of bwrap failed") == true)
        _ = try await providers(required, where: .namespaces)
        _ = try await providers([:], where: .limitsOnly)
        _ = try await providers(required.merging(["DIARY_PROBE": "scripted", "DIARY_SPEECH": "scripted"]) { $1 }, where: .limitsOnly)
    }

    @Test("with no setting they are the programs of this machine and the rules")
    func defaults() async throws {
        let providers = try await providers([:])

        #expect(providers.probe is FFmpegProbe)
        #expect(providers.speech.engine is PartedSpeechEngine && providers.speech.settings.maxSeconds == LocalSpeechEngine.partSeconds)
        #expect(providers.cleanup.engine is RulesCleaner)
    }

    @Test("each is chosen by its own setting and leaves the others", arguments: ["DIARY_PROBE", "DIARY_SPEECH", "DIARY_CLEANUP"])
    func apart(setting: String) async throws {
        let providers = try await providers([setting: "scripted"])

        #expect((providers.probe is ScriptedProbe) == (setting == "DIARY_PROBE"))
        #expect((providers.speech.settings.name == "scripted") == (setting == "DIARY_SPEECH"))
        #expect((providers.cleanup.engine is ScriptedCleaner) == (setting == "DIARY_CLEANUP"))
    }

    @Test("servers of the settings are the chains of the process; the local engines stay for chains of apps")
    func hosted() async throws {
        let changes = [
            "DIARY_SPEECH": "openai", "DIARY_SPEECH_URL": "https://api.openai.com/v1/", "DIARY_SPEECH_MODEL": "whisper-1",
            "DIARY_SPEECH_KEY": "sk-1",
            "DIARY_CLEANUP": "openai", "DIARY_CLEANUP_URL": "http://127.0.0.1:11434/v1", "DIARY_CLEANUP_MODEL": "llama3",
            "DIARY_ENGINES_PRIVATE": "1",
        ]
        let providers = try await providers(changes, where: .namespaces)

        #expect(providers.speech.engine is PartedSpeechEngine && providers.cleanup.engine is OpenAITextEngine)
        #expect(
            providers.engines.speech.map(\.settings)
                == [
                    EngineSettings(name: "openai", stage: .speech, kind: .openai, url: "https://api.openai.com/v1", model: "whisper-1")
                        .revised(by: Array("sk-1".utf8))
                ])
        let media = try WorkerSettings(.service(changes)).media
        let factory = try EngineFactory(media, limits: Limits(), logger: .quiet) { Sandbox(isolation: .namespaces) }
        #expect(try await factory.speech(EngineSettings(name: "l", stage: .speech, kind: .local), key: nil) is PartedSpeechEngine)
        #expect(try await factory.text(EngineSettings(name: "l", stage: .text, kind: .local), key: nil) is RulesCleaner)
        await factory.transfers.close(within: .zero)
    }

    @Test("an engine that needs the required sandbox fails as a matter of configuration where it does not hold, and the others work")
    func chained() async throws {
        let media = try WorkerSettings(
            .service(["DIARY_SANDBOX": "required", "DIARY_PROBE": "scripted", "DIARY_SPEECH": "scripted", "DIARY_CLEANUP": "scripted"])
        ).media
        let factory = try EngineFactory(media, limits: Limits(), logger: .quiet) { Sandbox(isolation: .limitsOnly) }
        let command = EngineSettings(name: "own", stage: .speech, kind: .command, command: ["/bin/true"])

        let failure = await #expect(throws: ProviderFailure.self) { _ = try await factory.speech(command, key: nil) }
        #expect(failure?.treatment == .configuration && failure?.cause.hasPrefix("DIARY_SANDBOX is required") == true)
        #expect(try await factory.speech(EngineSettings(name: "l", stage: .speech, kind: .local), key: nil) is ScriptedRecognizer)
        await factory.transfers.close(within: .zero)
    }

    @Test("D4: a machine that cannot try the sandbox stops the start for a while, not for good, and the next trial counts")
    func undecided() async throws {
        let media = try WorkerSettings(.service(["DIARY_PROBE": "scripted", "DIARY_SPEECH": "scripted", "DIARY_CLEANUP": "scripted"])).media
        let trials = Counter()
        let factory = try EngineFactory(media, limits: Limits(), logger: .quiet) {
            guard trials.next() > 2 else { throw SandboxDetection.Failure() }
            return Sandbox(isolation: .namespaces)
        }
        let command = EngineSettings(name: "own", stage: .speech, kind: .command, command: ["/bin/true"])

        let start = try WorkerSettings(.service(["DIARY_CLEANUP": "scripted"])).media
        await #expect(throws: SandboxDetection.Failure.self) { _ = try await MediaProviders(start, factory: factory) }
        let failure = await #expect(throws: ProviderFailure.self) { _ = try await factory.speech(command, key: nil) }
        #expect(failure?.isOutage == true && failure?.isTry == false)
        _ = try await factory.speech(command, key: nil)
        await factory.transfers.close(within: .zero)
    }
}
