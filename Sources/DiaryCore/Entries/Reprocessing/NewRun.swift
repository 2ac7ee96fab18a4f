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
    /// Also of a typed text, which `clean` describes, as the app wants it.
    package var describesTexts: Bool = false

    package init(stage: Stage, language: String? = nil, engine: String? = nil, describesTexts: Bool = false) {
        self.stage = stage
        self.language = language
        self.engine = engine
        self.describesTexts = describesTexts
    }
}

/// The owner's choices for the present run of processing on an entry.
package struct EntryRun: Sendable, Equatable {
    /// The first stage of a run on an entry that was finished already. When such a run fails, the entry keeps showing its present texts.
    /// nil for any other run.
    package var rerunFrom: JobKind? = nil
    /// The only engine that is asked, in the run's first stage (`EngineSettings.name`); nil: those of the chain.
    package var engine: String? = nil
    /// BCP 47; nil: the entry's.
    package var language: String? = nil

    package init(rerunFrom: JobKind? = nil, engine: String? = nil, language: String? = nil) {
        self.rerunFrom = rerunFrom
        self.engine = engine
        self.language = language
    }

    package func engines<Engine>(of chain: [ConfiguredEngine<Engine>]) -> [ConfiguredEngine<Engine>] {
        guard let engine else { return chain }
        return chain.filter { $0.settings.name == engine }
    }
}
