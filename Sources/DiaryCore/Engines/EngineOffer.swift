/// The engines of an app as its accounts see them: names to choose from, nothing of how they are reached.
package struct EngineOffer: Sendable, Equatable {
    package struct Option: Sendable, Equatable {
        /// `EngineSettings.name`.
        package var name: String
        package var kind: EngineKind
        /// `EngineSettings.isLocal`.
        package var isLocal: Bool = false

        package init(name: String, kind: EngineKind, isLocal: Bool = false) {
            self.name = name
            self.kind = kind
            self.isLocal = isLocal
        }
    }

    /// In the order of the chain.
    package var speech: [Option] = []
    package var text: [Option] = []

    package init(speech: [Option] = [], text: [Option] = []) {
        self.speech = speech
        self.text = text
    }

    package func options(of stage: EngineStage) -> [Option] {
        switch stage {
        case .speech: speech
        case .text: text
        }
    }

    /// Stages without engines of the app's own have the service's.
    package func filled(from service: EngineOffer) -> EngineOffer {
        EngineOffer(speech: speech.isEmpty ? service.speech : speech, text: text.isEmpty ? service.text : text)
    }

    /// In which recordings are transcribed. Hosted engines and commands find the language out by themselves.
    /// - Parameter local: what the engine of kind `local` knows.
    package func languages(local: SpeechLanguages) -> SpeechLanguages {
        speech.allSatisfy { $0.kind == .local } ? local : .all
    }
}

extension EngineOffer.Option {
    /// Whether what it works on leaves the service's own machines.
    package var isHosted: Bool { kind.isServer && !isLocal }
}

/// Which engines an app has. For the API, which never sees addresses or secrets.
package protocol EngineDirectory: Sendable {
    /// What the engine of kind `local` knows.
    var localLanguages: SpeechLanguages { get }
    /// - Parameter tenant: nil for the service's own.
    func offer(of tenant: TenantID?) async throws(DiaryError) -> EngineOffer
}

/// The engines that an account has chosen, by name. A name that the app's chain does not have counts as none.
package struct EngineChoice: Sendable, Equatable {
    package var speech: String? = nil
    package var text: String? = nil

    package init(speech: String? = nil, text: String? = nil) {
        self.speech = speech
        self.text = text
    }

    package subscript(stage: EngineStage) -> String? {
        switch stage {
        case .speech: speech
        case .text: text
        }
    }
}
