package import DiaryCore
package import DiaryCrypto
import Synchronization

/// The engine chains of each app, as operators set them, ordered by each account's choice. A stage without engines of the app's own uses
/// the process's. Chains are read again after each change notice, and rebuilt only when they differ.
package final class TenantEngines: EngineSource {
    private struct Chains {
        let stored: StoredChains
        let speech: [ConfiguredEngine<any SpeechEngine>]
        let text: [ConfiguredEngine<any TextEngine>]
        /// Whether every engine could be made.
        let isComplete: Bool
        /// When they began to be read.
        var readAt: ContinuousClock.Instant
    }

    private struct Cache {
        var chains: [TenantID: Chains] = [:]
        /// What was read before this is stale.
        var refreshedAt = ContinuousClock.now
    }

    private let store: any EngineStore
    private let service: FixedEngines
    private let builder: any EngineBuilder
    private let masters: MasterKeyRing
    private let freshFor: Duration
    private let cache = Mutex(Cache())

    /// - Parameter service: of the process's settings.
    package init(
        store: any EngineStore, service: FixedEngines, builder: any EngineBuilder, masters: MasterKeyRing, freshFor: Duration = .seconds(15)
    ) {
        self.store = store
        self.service = service
        self.builder = builder
        self.masters = masters
        self.freshFor = freshFor
    }

    package func speech(of owner: Owner) async throws(DiaryError) -> [ConfiguredEngine<any SpeechEngine>] {
        try await ordered(try await speech(of: owner.tenant), .speech, of: owner)
    }

    package func text(of owner: Owner) async throws(DiaryError) -> [ConfiguredEngine<any TextEngine>] {
        try await ordered(try await text(of: owner.tenant), .text, of: owner)
    }

    /// The app's chain, without a member's choices.
    package func speech(of tenant: TenantID) async throws(DiaryError) -> [ConfiguredEngine<any SpeechEngine>] {
        let own = try await chains(of: tenant).speech
        return own.isEmpty ? service.speech : own
    }

    package func text(of tenant: TenantID) async throws(DiaryError) -> [ConfiguredEngine<any TextEngine>] {
        let own = try await chains(of: tenant).text
        return own.isEmpty ? service.text : own
    }

    /// After a change, which is then seen by the next call.
    package func refresh() { cache.withLock { $0.refreshedAt = .now } }

    /// The chosen engine first, then the others in their order. With one engine there is nothing to choose, and nothing is read.
    private func ordered<Engine: Sendable>(
        _ chain: [ConfiguredEngine<Engine>], _ stage: EngineStage, of owner: Owner
    ) async throws(DiaryError) -> [ConfiguredEngine<Engine>] {
        guard chain.count > 1, let name = try await store.choice(of: owner)[stage] else { return chain }
        return chain.filter { $0.settings.name == name } + chain.filter { $0.settings.name != name }
    }

    private func chains(of tenant: TenantID) async throws(DiaryError) -> Chains {
        let now = ContinuousClock.now
        let (kept, isFresh) = cache.withLock { cache in
            let kept = cache.chains[tenant]
            return (kept, kept.map { $0.readAt > cache.refreshedAt && $0.readAt.duration(to: now) < freshFor } ?? false)
        }
        if let kept, isFresh { return kept }
        let stored = try await store.chains(of: tenant)
        var chains: Chains
        if let kept, kept.isComplete, kept.stored == stored {
            chains = kept
            chains.readAt = now
        } else {
            chains = await make(stored, of: tenant, at: now)
        }
        cache.withLock { $0.chains[tenant] = chains }
        return chains
    }

    private func make(_ stored: StoredChains, of tenant: TenantID, at now: ContinuousClock.Instant) async -> Chains {
        let speech = await chain(.speech, stored, of: tenant, unusable: { $0 as any SpeechEngine }) {
            (settings, key) async throws(ProviderFailure) in try await builder.speech(settings, key: key)
        }
        let text = await chain(.text, stored, of: tenant, unusable: { $0 as any TextEngine }) {
            (settings, key) async throws(ProviderFailure) in try await builder.text(settings, key: key)
        }
        return Chains(
            stored: stored, speech: speech.engines, text: text.engines, isComplete: speech.isComplete && text.isComplete, readAt: now)
    }

    private func chain<Engine: Sendable>(
        _ stage: EngineStage, _ stored: StoredChains, of tenant: TenantID, unusable: (UnusableEngine) -> Engine,
        make: (EngineSettings, SecretBytes?) async throws(ProviderFailure) -> Engine
    ) async -> (engines: [ConfiguredEngine<Engine>], isComplete: Bool) {
        var isComplete = true
        var engines: [ConfiguredEngine<Engine>] = []
        for settings in stored.engines(of: stage).map({ owned($0, by: tenant, stored) }) {
            let engine: Engine
            do throws(ProviderFailure) {
                engine = try await make(settings, try key(settings, stored))
            } catch {
                engine = unusable(UnusableEngine(failure: error))
                isComplete = false
            }
            engines.append(ConfiguredEngine(settings, engine))
        }
        return (engines, isComplete)
    }

    /// Slots and breakers are the app's own, and a secret that was set anew is another engine to them.
    private func owned(_ settings: EngineSettings, by tenant: TenantID, _ stored: StoredChains) -> EngineSettings {
        settings.owned(by: tenant, secret: settings.secret.flatMap { stored.secrets[$0]?.sealed })
    }

    private func key(_ settings: EngineSettings, _ stored: StoredChains) throws(ProviderFailure) -> SecretBytes? {
        guard let name = settings.secret else { return nil }
        let code: ProcessingCode = settings.stage == .speech ? .speechUnavailable : .cleanupUnavailable
        guard let secret = stored.secrets[name] else {
            throw ProviderFailure(.configuration, code: code, cause: "the secret \(name) is not set").fromEngine
        }
        do { return try secret.open(under: masters) } catch {
            throw ProviderFailure(.configuration, code: code, cause: "the secret \(name) does not open under master \(secret.masterID)")
                .fromEngine
        }
    }
}

/// Takes the place of an engine that could not be made, so that the chain skips it and reports why.
struct UnusableEngine: SpeechEngine, TextEngine {
    let failure: ProviderFailure

    var languages: SpeechLanguages { .all }

    func transcribe(_ recording: VerifiedRecording, _ request: SpeechRequest) async throws(ProviderFailure) -> SpeechAnswer {
        throw failure
    }

    func clean(_ raw: RawTranscript, _ request: TextRequest) async throws(ProviderFailure) -> TextAnswer { throw failure }
}
