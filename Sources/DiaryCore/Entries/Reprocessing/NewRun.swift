/// A run that the owner asks for.
package struct NewRun: Sendable {
    package enum Stage: String, Sendable, CaseIterable {
        case transcribe, clean

        package var kind: JobKind {
            switch self {
            case .transcribe: .transcribe
            case .clean: .clean
            }
        }

        var engines: EngineStage {
            switch self {
            case .transcribe: .speech
            case .clean: .text
            }
        }
    }

    package var stage: Stage
    /// BCP 47, of `transcribe` alone; nil: the entry's.
    package var language: String? = nil
    /// nil: those of the chain.
    package var engine: String? = nil

    package init(stage: Stage, language: String? = nil, engine: String? = nil) {
        self.stage = stage
        self.language = language
        self.engine = engine
    }
}
