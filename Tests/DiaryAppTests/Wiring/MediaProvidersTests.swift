import DiaryCore
import TestSupport
import Testing

@testable import DiaryApp
@testable import DiaryMedia

@Suite("Choice of media providers", .timeLimit(.minutes(1)))
struct MediaProvidersTests {
    private func providers(_ changes: [String: String?]) async throws -> MediaProviders {
        try await MediaProviders(try WorkerSettings(.service(changes)).media, limits: Limits(), logger: .quiet)
    }

    private func providers(_ changes: [String: String?], where isolation: Sandbox.Isolation) async throws -> MediaProviders {
        try await MediaProviders(try WorkerSettings(.service(changes)).media, limits: Limits(), logger: .quiet) {
            Sandbox(isolation: isolation)
        }
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
        #expect(providers.speech is PocketSphinxRecognizer)
        #expect(providers.cleanup is RulesCleaner)
    }

    @Test("each is chosen by its own setting and leaves the others", arguments: ["DIARY_PROBE", "DIARY_SPEECH", "DIARY_CLEANUP"])
    func apart(setting: String) async throws {
        let providers = try await providers([setting: "scripted"])

        #expect((providers.probe is ScriptedProbe) == (setting == "DIARY_PROBE"))
        #expect((providers.speech is ScriptedRecognizer) == (setting == "DIARY_SPEECH"))
        #expect((providers.cleanup is ScriptedCleaner) == (setting == "DIARY_CLEANUP"))
    }
}
