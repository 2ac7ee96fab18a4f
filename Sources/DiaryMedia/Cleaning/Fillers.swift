/// Removes words without meaning. In doubt a word stays, because a diary must not lose content.
struct Fillers {
    let words: FillerWords

    func remove(_ tokens: inout [CleaningToken]) {
        var index = 0
        while index < tokens.count {
            if let (range, isLink) = filler(tokens, at: index), !isQuoted(tokens, range) {
                tokens.drop(range, keepsComma: isLink || keepsComma(tokens, around: range))
                // The word that is now at this index may form a filler with the one before it.
                index = max(0, index - 1)
            } else {
                index += 1
            }
        }
    }

    private func filler(_ tokens: [CleaningToken], at index: Int) -> (Range<Int>, isLink: Bool)? {
        guard index < tokens.count else { return nil }
        if words.sounds.contains(tokens[index].key), isHesitation(tokens, at: index) { return (index..<index + 1, false) }
        if words.code == "en", let count = EnglishFillers.length(tokens, at: index) { return (index..<index + count, false) }
        for (phrases, isLink) in [(words.phrases, false), (words.links, true)] {
            for phrase in phrases where tokens[index...].prefix(phrase.count).map(\.key) == phrase {
                if isSetApart(tokens, index..<index + phrase.count) { return (index..<index + phrase.count, isLink) }
            }
        }
        return nil
    }

    /// `ER` and `AH` are not hesitation sounds; "Ah!" and "Hm?" are sentences.
    private func isHesitation(_ tokens: [CleaningToken], at index: Int) -> Bool {
        let (core, trailing) = (tokens[index].core, tokens[index].trailing)
        let isAcronym = core.count > 1 && core.allSatisfy(\.isUppercase)
        return !isAcronym && !(tokens.opensSentence(index) && trailing.contains { "?!".contains($0) })
    }

    /// Between commas or pauses, also at the start or the end of a sentence; not a sentence of its own.
    private func isSetApart(_ tokens: [CleaningToken], _ range: Range<Int>) -> Bool {
        let (first, last) = (range.lowerBound, range.upperBound - 1)
        guard tokens[first..<last].allSatisfy(\.trailing.isEmpty) else { return false }
        let opens = tokens.opensSentence(first)
        guard opens || tokens[first - 1].trailing == "," || tokens.pause(first) >= CleaningPauses.comma else { return false }
        switch tokens[last].trailing {
        case ",": return true
        case ".": return !opens
        case "": return tokens.pause(last + 1) >= CleaningPauses.comma
        default: return false
        }
    }

    /// Quoted by itself: `"Um," she said`.
    private func isQuoted(_ tokens: [CleaningToken], _ range: Range<Int>) -> Bool {
        !tokens[range.lowerBound].leading.isEmpty && !tokens[range.upperBound - 1].trailing.allSatisfy { ",.…".contains($0) }
    }

    /// Also before the next filler, which is then still set apart, and between two copies of a word.
    private func keepsComma(_ tokens: [CleaningToken], around range: Range<Int>) -> Bool {
        let (before, after) = (tokens.key(range.lowerBound - 1), tokens.key(range.upperBound))
        if after.map(words.joiners.contains) == true || before == after || filler(tokens, at: range.upperBound) != nil { return true }
        return before.map(words.openers.contains) == true && tokens.opensClause(range.lowerBound - 1)
    }
}
