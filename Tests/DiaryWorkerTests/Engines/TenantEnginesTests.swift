import DiaryCore
import DiaryCrypto
import DiaryTesting
import Foundation
import Synchronization
import Testing

@testable import DiaryWorker

@Suite("Engines of apps")
struct TenantEnginesTests {
    private let owner = Owner(tenant: TenantID(UUID()), user: UserID(UUID()))
    private let store = Store()
    private let builder = Builder()
    private let masters: MasterKeyRing

    init() throws { masters = try MasterKeyRing(current: "m1", keys: ["m1": .random(32)]) }

    private func engines() -> TenantEngines {
        let service = FixedEngines(
            speech: [ConfiguredEngine(EngineSettings(name: "service", stage: .speech, kind: .local), Named())],
            text: [ConfiguredEngine(EngineSettings(name: "rules", stage: .text, kind: .local), Named())])
        return TenantEngines(store: store, service: service, builder: builder, masters: masters, freshFor: .seconds(3_600))
    }

    private func names(_ engines: TenantEngines) async throws -> [String] { try await engines.speech(of: owner).map(\.settings.name) }

    private static func engine(_ name: String, secret: String? = nil) -> EngineSettings {
        EngineSettings(name: name, stage: .speech, kind: .openai, url: "https://a.example", model: "m", secret: secret)
    }

    @Test("a stage without engines of the app's own has the process's")
    func fallback() async throws {
        let engines = engines()
        store.chains = StoredChains(engines: [Self.engine("own")])

        #expect(try await names(engines) == ["own"])
        #expect(try await engines.text(of: owner).map(\.settings.name) == ["rules"])
        #expect(store.choicesRead == 0, "of one engine there is no choice")
    }

    @Test("the chosen engine comes first and the others keep their order; a name that the chain has not changes nothing")
    func choice() async throws {
        let engines = engines()
        store.chains = StoredChains(engines: ["a", "b", "c"].map { Self.engine($0) })

        #expect(try await names(engines) == ["a", "b", "c"])
        store.chosen = EngineChoice(speech: "c", text: "a")
        #expect(try await names(engines) == ["c", "a", "b"])
        store.chosen = EngineChoice(speech: "gone")
        #expect(try await names(engines) == ["a", "b", "c"])
    }

    @Test("chains are read again after a notice, and engines are made anew only when something differs")
    func refreshed() async throws {
        let engines = engines()
        store.chains = StoredChains(engines: [Self.engine("a")])
        #expect(try await names(engines) == ["a"])
        store.chains = StoredChains(engines: [Self.engine("b")])
        #expect(try await names(engines) == ["a"], "kept until a notice")

        engines.refresh()
        #expect(try await names(engines) == ["b"])
        engines.refresh()
        #expect(try await names(engines) == ["b"])
        #expect(builder.made == ["a", "b"])
    }

    @Test("a secret reaches the engine that names it, opened; without it, or under an unknown master, the engine fails and says which")
    func secrets() async throws {
        let engines = engines()
        let tenant = owner.tenant
        let secret = try StoredAppSecret(
            sealing: SecretBytes(Array("sk-1".utf8)), "key", of: tenant, under: masters, at: .now)
        let other = try MasterKeyRing(current: "m9", keys: ["m9": .random(32)])
        let foreign = try StoredAppSecret(sealing: SecretBytes([1]), "foreign", of: tenant, under: other, at: .now)
        store.chains = StoredChains(
            engines: [
                Self.engine("a", secret: "key"), Self.engine("b"), Self.engine("c", secret: "missing"), Self.engine("d", secret: "foreign"),
            ],
            secrets: ["key": secret, "foreign": foreign])

        let chain = try await engines.speech(of: owner)

        #expect(builder.keys == ["a": "sk-1", "b": nil])
        for (index, words) in [(2, "the secret missing is not set"), (3, "the secret foreign does not open under master m9")] {
            let failure = await failure(of: chain[index].engine)
            #expect(failure?.treatment == .configuration && failure?.cause == words)
            // Of the settings, which are the same on every worker: the breaker stops the engine.
            #expect(failure?.isFromEngine == true)
        }
        // Once it is set the engine is made.
        store.chains.secrets["missing"] = try StoredAppSecret(sealing: SecretBytes([2]), "missing", of: tenant, under: masters, at: .now)
        engines.refresh()
        #expect(await self.failure(of: try await engines.speech(of: owner)[2].engine) == nil)
    }

    @Test("slots and breakers tell an app's engine from others': by the app, and by the secret as it was set")
    func keys() async throws {
        let engines = engines()
        func secret(_ words: String) throws -> StoredAppSecret {
            try StoredAppSecret(sealing: SecretBytes(Array(words.utf8)), "key", of: owner.tenant, under: masters, at: .now)
        }
        store.chains = StoredChains(engines: [Self.engine("a", secret: "key"), Self.engine("b")], secrets: ["key": try secret("sk-1")])
        let before = try await engines.speech(of: owner).map { EngineKey($0.settings) }
        engines.refresh()
        let again = try await engines.speech(of: owner).map { EngineKey($0.settings) }

        store.chains.secrets["key"] = try secret("sk-2")
        engines.refresh()
        let after = try await engines.speech(of: owner).map { EngineKey($0.settings) }

        #expect(before == again && before.allSatisfy { $0.app == owner.tenant })
        #expect(before[0] != after[0] && before[1] == after[1])
    }

    @Test("an engine that could not be made is tried again after the next notice, though nothing has changed")
    func retried() async throws {
        let engines = engines()
        store.chains = StoredChains(engines: [Self.engine("a")])
        builder.failure = ProviderFailure(.configuration, code: .speechUnavailable, cause: "no sandbox")
        #expect(await failure(of: try await engines.speech(of: owner)[0].engine)?.cause == "no sandbox")

        builder.failure = nil
        engines.refresh()
        #expect(await failure(of: try await engines.speech(of: owner)[0].engine) == nil)
    }

    private func failure(of engine: any SpeechEngine) async -> ProviderFailure? {
        do throws(ProviderFailure) {
            let recording = VerifiedRecording(path: "/x", folder: "/", contentType: "audio/mp4", durationSeconds: 1)
            _ = try await engine.transcribe(recording, SpeechRequest())
            return nil
        } catch {
            return error
        }
    }

    private struct Named: SpeechEngine, TextEngine {
        var languages: SpeechLanguages { .all }

        func transcribe(_ recording: VerifiedRecording, _ request: SpeechRequest) -> SpeechAnswer {
            SpeechAnswer(RawTranscript(language: "en", segments: []), use: EngineUse())
        }

        func clean(_ raw: RawTranscript, _ request: TextRequest) -> TextAnswer { TextAnswer(clean: "") }
    }

    private final class Store: EngineStore {
        private struct State {
            var chains = StoredChains()
            var chosen = EngineChoice()
            var choicesRead = 0
        }

        private let state = Mutex(State())

        var chains: StoredChains {
            get { state.withLock { $0.chains } }
            set { state.withLock { $0.chains = newValue } }
        }

        var chosen: EngineChoice {
            get { state.withLock { $0.chosen } }
            set { state.withLock { $0.chosen = newValue } }
        }

        var choicesRead: Int { state.withLock { $0.choicesRead } }

        func chains(of tenant: TenantID) -> StoredChains { chains }

        func choice(of owner: Owner) -> EngineChoice {
            state.withLock { state in
                state.choicesRead += 1
                return state.chosen
            }
        }
    }

    private final class Builder: EngineBuilder {
        private struct State {
            var made: [String] = []
            var keys: [String: String?] = [:]
            var failure: ProviderFailure?
        }

        private let state = Mutex(State())

        var made: [String] { state.withLock { $0.made } }
        var keys: [String: String?] { state.withLock { $0.keys } }
        var failure: ProviderFailure? {
            get { state.withLock { $0.failure } }
            set { state.withLock { $0.failure = newValue } }
        }

        func speech(_ settings: EngineSettings, key: SecretBytes?) async throws(ProviderFailure) -> any SpeechEngine {
            if let failure { throw failure }
            state.withLock { state in
                state.made.append(settings.name)
                state.keys.updateValue(key.map { String(decoding: $0.bytes(), as: UTF8.self) }, forKey: settings.name)
            }
            return Named()
        }

        func text(_ settings: EngineSettings, key: SecretBytes?) -> any TextEngine { Named() }
    }
}
