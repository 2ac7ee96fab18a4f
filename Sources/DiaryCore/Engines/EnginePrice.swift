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

extension EnginePrice {
    /// Millionths of `0.006`; nil for what is not a number of the form `12` or `12.345678`, or is above 1,000,000.
    package static func millionths(_ text: String) -> Int64? {
        let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        guard let whole = parts.first, (1...7).contains(whole.utf8.count) else { return nil }
        let fraction = parts.count == 2 ? String(parts[1]) : "0"
        guard (1...6).contains(fraction.utf8.count), (Array(whole.utf8) + Array(fraction.utf8)).allSatisfy({ (0x30...0x39).contains($0) }),
            let units = Int64(whole), let rest = Int64(fraction + String(repeating: "0", count: 6 - fraction.utf8.count)),
            units < 1_000_000 || (units == 1_000_000 && rest == 0)
        else { return nil }
        return units * 1_000_000 + rest
    }

    /// `0.006` of 6000 millionths.
    package static func text(_ millionths: Int64) -> String {
        let whole = millionths / 1_000_000
        let digits = String(millionths % 1_000_000)
        var fraction = String(repeating: "0", count: max(0, 6 - digits.count)) + digits
        while fraction.last == "0" { fraction.removeLast() }
        return fraction.isEmpty ? String(whole) : "\(whole).\(fraction)"
    }
}
