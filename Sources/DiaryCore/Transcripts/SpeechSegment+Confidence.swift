extension SpeechSegment {
    /// The engine's, or else the mean of its words, from 0 to 1 to three digits; nil when nothing tells.
    package var meanConfidence: Double? {
        let known = (confidence.map { [$0] } ?? words.map(\.confidence)).filter(\.isFinite)
        guard !known.isEmpty else { return nil }
        return min(1, max(0, (known.reduce(0, +) / Double(known.count) * 1_000).rounded() / 1_000))
    }
}
