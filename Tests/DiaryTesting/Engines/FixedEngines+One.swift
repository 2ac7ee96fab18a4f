package import DiaryCore

extension FixedEngines {
    /// Chains of one engine each.
    package static func one(speech: (any SpeechEngine)? = nil, text: (any TextEngine)? = nil) -> FixedEngines {
        FixedEngines(
            speech: speech.map { [ConfiguredEngine(EngineSettings(name: "fixed", stage: .speech, kind: .local), $0)] } ?? [],
            text: text.map { [ConfiguredEngine(EngineSettings(name: "fixed", stage: .text, kind: .local), $0)] } ?? [])
    }
}
