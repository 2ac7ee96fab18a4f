/// What an engine's work costs, in millionths of the operator's currency.
package struct EnginePrice: Sendable, Equatable {
    /// For a minute of audio.
    package var perMinute: Int64 = 0
    /// For a million tokens of what is sent.
    package var perMillionInputTokens: Int64 = 0
    /// For a million tokens of what comes back.
    package var perMillionOutputTokens: Int64 = 0

    package init(perMinute: Int64 = 0, perMillionInputTokens: Int64 = 0, perMillionOutputTokens: Int64 = 0) {
        self.perMinute = perMinute
        self.perMillionInputTokens = perMillionInputTokens
        self.perMillionOutputTokens = perMillionOutputTokens
    }

    package static let free = EnginePrice()

    /// In millionths, rounded up.
    package func cost(audioSeconds: Double, inputTokens: Int, outputTokens: Int) -> Int64 {
        let minutes = Double(perMinute) * max(0, audioSeconds) / 60
        let tokens =
            Double(perMillionInputTokens) * Double(max(0, inputTokens)) + Double(perMillionOutputTokens) * Double(max(0, outputTokens))
        let sum = (minutes + tokens / 1_000_000).rounded(.up)
        return sum.isFinite ? Int64(exactly: min(sum, 1e15)) ?? 0 : 0
    }
}
