/// An engine that can be called, with the settings that it was made from.
package struct ConfiguredEngine<Engine: Sendable>: Sendable {
    package let settings: EngineSettings
    package let engine: Engine

    package init(_ settings: EngineSettings, _ engine: Engine) {
        self.settings = settings
        self.engine = engine
    }
}
