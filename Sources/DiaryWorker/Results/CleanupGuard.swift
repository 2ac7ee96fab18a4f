/// Whether a cleaned text can be a reading of the raw one: an empty answer, a refusal or a far longer text is not.
enum CleanupGuard {
    static let ratio = 0.3...1.5
    /// Below this many words a ratio is no useful bound: "um, yes" may lose half of itself.
    static let shortWords = 40
    /// What a short text may grow by: 40 words of 6 letters, half of them again, so that both bounds meet.
    static let shortGrowth = 120

    /// Lengths are counted in characters that are not white space, which works for scripts without spaces too.
    static func accepts(_ clean: String, for raw: String) -> Bool {
        let length = letters(clean)
        guard length > 0 else { return false }
        let rawLength = letters(raw)
        guard raw.split(whereSeparator: \.isWhitespace).count >= shortWords else { return length <= rawLength + shortGrowth }
        return ratio.contains(Double(length) / Double(max(1, rawLength)))
    }

    private static func letters(_ text: String) -> Int { text.count { !$0.isWhitespace } }
}
