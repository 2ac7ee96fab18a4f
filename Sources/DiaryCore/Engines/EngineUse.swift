/// What one call of an engine used.
package struct EngineUse: Sendable, Equatable {
    package var audioSeconds: Double
    package var inputTokens: Int
    package var outputTokens: Int

    package init(audioSeconds: Double = 0, inputTokens: Int = 0, outputTokens: Int = 0) {
        self.audioSeconds = audioSeconds
        self.inputTokens = inputTokens
        self.outputTokens = outputTokens
    }

    package static func + (left: Self, right: Self) -> Self {
        Self(
            audioSeconds: left.audioSeconds + right.audioSeconds, inputTokens: left.inputTokens + right.inputTokens,
            outputTokens: left.outputTokens + right.outputTokens)
    }
}
