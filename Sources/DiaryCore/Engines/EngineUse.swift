/// What one call of an engine used.
package struct EngineUse: Sendable, Equatable {
    package var audioSeconds: Double = 0
    package var inputTokens: Int = 0
    package var outputTokens: Int = 0

    package static func + (left: Self, right: Self) -> Self {
        Self(
            audioSeconds: left.audioSeconds + right.audioSeconds, inputTokens: left.inputTokens + right.inputTokens,
            outputTokens: left.outputTokens + right.outputTokens)
    }
}
