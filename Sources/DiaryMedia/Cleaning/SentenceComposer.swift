/// Joins words into sentences and paragraphs by the pauses between them.
struct SentenceComposer: Sendable {
    /// The sentence end to write; empty where the script has none.
    var fullStop = "."
    var comma = ","
    var capitalizes = true
    /// After these words a pause is a hesitation.
    var leavesOpen: Set<String> = []

    static let english = SentenceComposer(leavesOpen: [
        "and", "but", "or", "so", "because", "the", "a", "an", "to", "of", "in", "at", "on", "for", "with", "from", "by", "my", "our",
        "his", "their", "your", "if", "when", "that",
        "is", "was", "were", "are", "am", "i", "we", "he", "she", "they", "very", "really", "who", "which", "i'm", "it's", "as", "than",
    ])

    static func other(_ language: String) -> SentenceComposer {
        switch language {
        case "zh", "ja", "yue": SentenceComposer(fullStop: "。", comma: "", capitalizes: false)
        case "hi", "mr", "ne", "bn": SentenceComposer(fullStop: "।", comma: "", capitalizes: false)
        case "th", "lo", "km", "my": SentenceComposer(fullStop: "", comma: "", capitalizes: false)
        default: SentenceComposer(comma: "", capitalizes: false)
        }
    }

    /// Words for each sentence end, at most, of a recogniser that writes them.
    private static let longestSentences = 40

    private static func hasEnd(_ token: CleaningToken) -> Bool {
        token.endsSentence || token.trailing.contains { "。．！？।؟۔".contains($0) }
    }

    func compose(_ tokens: [CleaningToken]) -> String {
        // Punctuation of the recogniser takes precedence over pauses. A few ends in a long text are not its own: they came with a correction.
        let ends = tokens.count(where: Self.hasEnd)
        let isPunctuated = ends > 0 && ends * Self.longestSentences >= tokens.count
        var text = ""
        var opensSentence = true
        for (index, token) in tokens.enumerated() where !token.text.isEmpty {
            text += opensSentence && capitalizes ? token.leading + token.core.capitalizedFirst + token.trailing : token.text
            let isLast = index == tokens.count - 1
            let pause = isLast ? 0 : tokens[index + 1].pause
            let isParagraph = pause >= CleaningPauses.paragraph
            if isPunctuated || Self.hasEnd(token) {
                opensSentence = token.endsSentence
            } else {
                let isHesitation = !isParagraph && leavesOpen.contains(token.key)
                opensSentence = isLast || isParagraph || (pause >= CleaningPauses.sentence && !isHesitation)
                if opensSentence {
                    text += fullStop
                } else if pause >= CleaningPauses.comma, tokens[index + 1].opensSegment, !isHesitation, token.trailing.isEmpty {
                    text += comma
                }
            }
            if !isLast { text += isParagraph ? "\n\n" : " " }
        }
        return text
    }
}
