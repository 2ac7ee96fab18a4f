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
