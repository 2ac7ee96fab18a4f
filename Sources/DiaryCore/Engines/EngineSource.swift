package import DiaryCrypto

/// The chains of engines, in the order in which they are asked.
package protocol EngineSource: Sendable {
    func speech(of owner: Owner) async throws(DiaryError) -> [ConfiguredEngine<any SpeechEngine>]
    func text(of owner: Owner) async throws(DiaryError) -> [ConfiguredEngine<any TextEngine>]
}

/// The same chains for every account: those of the process's settings.
package struct FixedEngines: EngineSource {
    package let speech: [ConfiguredEngine<any SpeechEngine>]
    package let text: [ConfiguredEngine<any TextEngine>]

    package init(speech: [ConfiguredEngine<any SpeechEngine>], text: [ConfiguredEngine<any TextEngine>]) {
        self.speech = speech
        self.text = text
    }

    package func speech(of owner: Owner) async throws(DiaryError) -> [ConfiguredEngine<any SpeechEngine>] { speech }
    package func text(of owner: Owner) async throws(DiaryError) -> [ConfiguredEngine<any TextEngine>] { text }
}

/// Makes engines from their settings.
package protocol EngineBuilder: Sendable {
    /// - Parameter key: what the settings' `secret` names; nil when they name none.
    /// - Throws: what the engine would fail with at each call, such as a sandbox that does not hold.
    func speech(_ settings: EngineSettings, key: SecretBytes?) async throws(ProviderFailure) -> any SpeechEngine
    func text(_ settings: EngineSettings, key: SecretBytes?) async throws(ProviderFailure) -> any TextEngine
}

/// An engine that can be called, with the settings that it was made from.
package struct ConfiguredEngine<Engine: Sendable>: Sendable {
    package let settings: EngineSettings
    package let engine: Engine

    package init(_ settings: EngineSettings, _ engine: Engine) {
        self.settings = settings
        self.engine = engine
    }
}

/// Engines as workers read them.
package protocol EngineStore: Sendable {
    func chains(of tenant: TenantID) async throws(DiaryError) -> StoredChains
    func choice(of owner: Owner) async throws(DiaryError) -> EngineChoice
}

/// What is stored of an app's engines: the chains in order, and the secrets by their names.
package struct StoredChains: Sendable, Equatable {
    /// The engines of both stages, those of each stage in the order in which they are asked.
    package var engines: [EngineSettings] = []
    package var secrets: [String: StoredAppSecret] = [:]

    package init(engines: [EngineSettings] = [], secrets: [String: StoredAppSecret] = [:]) {
        self.engines = engines
        self.secrets = secrets
    }

    package func engines(of stage: EngineStage) -> [EngineSettings] { engines.filter { $0.stage == stage } }
}
