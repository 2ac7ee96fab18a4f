import DiaryCore
import DiaryMedia
import TestSupport
import Testing

@testable import DiaryApp

@Suite("Choice of media providers", .timeLimit(.minutes(1)))
struct MediaProvidersTests {
    private func providers(_ changes: [String: String?]) async throws -> MediaProviders {
        await MediaProviders(try Settings(.service(changes)).media, limits: Limits(), logger: .quiet)
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
