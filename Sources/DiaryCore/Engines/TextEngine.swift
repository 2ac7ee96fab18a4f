/// Turns raw words into readable text.
package protocol TextEngine: Sendable {
    func clean(_ raw: RawTranscript, _ request: TextRequest) async throws(ProviderFailure) -> TextAnswer
}

/// What is asked of a text engine, beside the words.
package struct TextRequest: Sendable, Equatable {
    /// What an app may have besides the clean text.
    package enum Extra: String, Sendable, CaseIterable { case title, summary, keyPoints = "key_points", suggestions }

    package var extras: Set<Extra> = []
    /// The text stays as it is, and only the extras are asked for: a person has typed it. `TextAnswer.clean` is not read then.
    package var onlyDescribes: Bool = false
    /// The app's instructions in place of the service's.
    package var prompt: String? = nil
    /// Between the pieces of a long text; nil for a call that neither asks nor reports.
    package var steps: CallSteps? = nil

    package init(extras: Set<Extra> = [], onlyDescribes: Bool = false, prompt: String? = nil, steps: CallSteps? = nil) {
        self.extras = extras
        self.onlyDescribes = onlyDescribes
        self.prompt = prompt
        self.steps = steps
    }
}

/// What a text engine made of the raw words. Nothing of it is trusted: the fidelity guard decides about the clean text.
package struct TextAnswer: Sendable, Equatable {
    package var clean: String
    package var title: String? = nil
    package var summary: String? = nil
    package var keyPoints: [String] = []
    package var tags: [String] = []
    package var mood: String? = nil
    /// The model that the engine's answer names; nil when it names none.
    package var model: String? = nil
    package var use: EngineUse = EngineUse()

    package init(
        clean: String, title: String? = nil, summary: String? = nil, keyPoints: [String] = [], tags: [String] = [], mood: String? = nil,
        model: String? = nil, use: EngineUse = EngineUse()
    ) {
        self.clean = clean
        self.title = title
        self.summary = summary
        self.keyPoints = keyPoints
        self.tags = tags
        self.mood = mood
        self.model = model
        self.use = use
    }
}
