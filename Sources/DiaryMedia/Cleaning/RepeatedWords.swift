/// Merges words repeated by mistake: "the the", "i was i was".
enum RepeatedWords {
    static func fold(_ tokens: inout [CleaningToken]) {
        var index = 1
        while index < tokens.count {
            if index >= 3, isPair(tokens, at: index) {
                tokens.drop(index - 1..<index + 1)
            } else if isSlip(tokens, at: index) {
                tokens.drop(index..<index + 1)
            } else {
                index += 1
            }
        }
    }

    private static func isSlip(_ tokens: [CleaningToken], at index: Int) -> Bool {
        guard let word = tokens.key(index), word == tokens.key(index - 1), !word.isEmpty, !tokens[index - 1].endsSentence else {
            return false
        }
        // A function word is never doubled on purpose. Another word counts as a slip only after a short pause, when the speaker restarted.
        return forms.contains(word)
            || (tokens[index].pause >= 0.2 && tokens[index].pause < CleaningPauses.sentence && !doubled.contains(word) && word.count > 3)
    }

    private static func isPair(_ tokens: [CleaningToken], at index: Int) -> Bool {
        guard let second = tokens.key(index), let first = tokens.key(index - 1), first != second else { return false }
        return second == tokens.key(index - 2) && first == tokens.key(index - 3) && forms.contains(first) && forms.contains(second)
            && !tokens[index - 2].endsSentence
    }

    private static let forms: Set<String> = [
        "the", "a", "an", "i", "we", "he", "she", "it", "they", "my", "our", "his", "their", "your", "and", "but", "or", "to", "of", "in",
        "at", "for", "with",
        "from", "by", "as", "was", "were", "am", "are", "be", "this", "these", "those", "if", "when", "because", "who", "it's", "i'm",
        "i've", "i'd", "i'll", "we're", "he's",
        "she's", "they're", "there's", "into", "about", "some",
    ]
    /// Words doubled for emphasis, and number words.
    private static let doubled: Set<String> = [
        "very", "really", "that", "long", "many", "much", "more", "never", "again", "please", "well", "there", "knock", "night", "blah",
        "over", "one", "two", "three", "four", "five",
        "six", "seven", "eight", "nine", "zero", "hundred", "thousand", "little", "good", "right", "okay", "come", "wait", "slowly", "deep",
        "high",
    ]
}
