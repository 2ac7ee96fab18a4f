/// Merges words repeated by mistake: "the the", "i was i was", "Ich, ich ging".
struct RepeatedWords {
    let words: FillerWords

    func fold(_ tokens: inout [CleaningToken]) {
        var index = 1
        while index < tokens.count {
            let length = isPair(tokens, at: index) ? 2 : isSlip(tokens, at: index) ? 1 : 0
            if length == 0 {
                index += 1
            } else {
                // The mark between the copies goes with the second one.
                tokens[index - length].trailing = tokens[index].trailing
                tokens[index].trailing = ""
                tokens.drop(index - length + 1..<index + 1)
            }
        }
    }

    private func isSlip(_ tokens: [CleaningToken], at index: Int) -> Bool {
        guard isCopy(tokens, at: index, of: index - 1), let word = tokens.key(index) else { return false }
        if words.doubled.contains(word) || (words.restarted.contains(word) && tokens.opensClause(index - 1)) { return true }
        guard words.code == "en", !tokens[index - 1].endsClause else { return false }
        // A word with meaning counts as a slip only after a short pause, when the speaker restarted.
        let pause = tokens[index].pause
        return words.restarted.contains(word)
            || (pause >= 0.2 && pause < CleaningPauses.sentence && !Self.emphasized.contains(word) && word.count > 3)
    }

    /// English only. After a comma the first copy must begin a clause: "I was, I was late", but not "that's what it was, it was late".
    private func isPair(_ tokens: [CleaningToken], at index: Int) -> Bool {
        guard words.code == "en", index >= 3, tokens[index].key != tokens[index - 1].key else { return false }
        guard isCopy(tokens, at: index - 1, of: index - 3), isCopy(tokens, at: index, of: index - 2) else { return false }
        return [index - 1, index].allSatisfy { words.doubled.union(words.restarted).contains(tokens[$0].key) }
            && (!tokens[index - 2].endsClause || tokens.opensClause(index - 3))
    }

    /// The same word with a comma or a dash after it at most. "de De Gaulle" are two words.
    private func isCopy(_ tokens: [CleaningToken], at index: Int, of first: Int) -> Bool {
        let (copy, original) = (tokens[index], tokens[first])
        return !copy.key.isEmpty && copy.key == original.key && ["", ",", "-", "–"].contains(original.trailing)
            && (copy.core == original.core || copy.core.first?.isUppercase == false)
    }

    /// Words doubled for emphasis, and number words.
    private static let emphasized: Set<String> = [
        "very", "really", "that", "long", "many", "much", "more", "never", "again", "please", "well", "there", "knock", "night", "blah",
        "over", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "zero", "hundred", "thousand", "little", "good",
        "right", "okay", "come", "wait", "slowly", "deep", "high",
    ]
}
