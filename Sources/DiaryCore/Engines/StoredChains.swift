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
