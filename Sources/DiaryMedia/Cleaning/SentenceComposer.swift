/// Joins words into sentences and paragraphs by the pauses between them.
struct SentenceComposer: Sendable {
    /// The sentence end to write; empty where the script has none.
    var fullStop = "."
    var comma = ""
    var capitalizes = false
    /// After these words a pause is a hesitation.
    var leavesOpen: Set<String> = []

    private static let english = SentenceComposer(
        comma: ",", capitalizes: true,
        leavesOpen: [
            "and", "but", "or", "so", "because", "the", "a", "an", "to", "of", "in", "at", "on", "for", "with", "from", "by", "my", "our",
            "his", "their", "your", "if", "when", "that", "is", "was", "were", "are", "am", "i", "we", "he", "she", "they", "very",
            "really", "who", "which", "i'm", "it's", "as", "than",
        ])

    static func of(_ language: String) -> SentenceComposer {
        switch language {
        case "en": english
        case "zh", "ja", "yue": SentenceComposer(fullStop: "。")
        case "hi", "mr", "ne", "bn": SentenceComposer(fullStop: "।")
        case "th", "lo", "km", "my": SentenceComposer(fullStop: "")
        default: SentenceComposer()
        }
    }

    /// - Parameter isPunctuated: the recogniser wrote sentence ends; only paragraphs are added.
    func compose(_ tokens: [CleaningToken], isPunctuated: Bool) -> String {
        var text = ""
        var opensSentence = true
        for (index, token) in tokens.enumerated() where !token.text.isEmpty {
            let isCapital = opensSentence && capitalizes && !isPunctuated
            text += isCapital ? token.leading + token.core.capitalizedFirst + token.trailing : token.text
            let isLast = index == tokens.count - 1
            let pause = isLast ? 0 : tokens[index + 1].pause
            let isParagraph = pause >= CleaningPauses.paragraph
            if isPunctuated || token.endsSentence {
                opensSentence = true
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
