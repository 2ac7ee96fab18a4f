/// What one call of an engine used.
package struct EngineUse: Sendable, Equatable {
    package var audioSeconds: Double = 0
    package var inputTokens: Int = 0
    package var outputTokens: Int = 0

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
