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
}
