import DiaryCore

extension HeardSegment {
    /// The text's tokens, which have the punctuation, with the times of the words, which may be without.
    ///
    /// Both are laid over one another by their letters; where they do not have the same number of letters, by shares of it. Without timed
    /// words the segment's time is shared out.
    /// - Parameter confidence: of words that have none of their own; nil counts as certain.
    func timedWords(from start: Double, to end: Double, confidence: Double?) -> [TimedWord] {
        let tokens = tokens.map { (text: $0, letters: WordRuler.letters($0)) }
        let total = tokens.reduce(0) { $0 + $1.letters }
        let ruler = WordRuler(words)
        var at = start
        var passed = 0
        return tokens.map { token in
            let first = Double(passed) / Double(max(1, total))
            passed += token.letters
            let last = Double(passed) / Double(max(1, total))
            var (from, to) = (start + (end - start) * first, start + (end - start) * last)
            var sure: Double?
            if let covered = ruler.words(from: first, to: last) {
                // A token without a letter, such as a dash, is where the one before it ends.
                (from, to) = token.letters > 0 ? (covered.from, covered.to) : (at, at)
                sure = covered.confidence
            }
            from = min(max(from, at), end)
            to = min(max(to, from), end)
            at = to
            return TimedWord(text: token.text, start: from, end: to, confidence: min(1, max(0, sure ?? confidence ?? 1)))
        }
    }
}

/// Timed words, found by their share of all letters.
private struct WordRuler {
    private let words: [HeardWord]
    /// Letters up to the end of each word.
    private let ends: [Double]

    init(_ words: [HeardWord]) {
        self.words = words.filter { Self.letters($0.text) > 0 }
        var sum = 0
        ends = self.words.map { word in
            sum += Self.letters(word.text)
            return Double(sum)
        }
    }

    /// - Returns: the times of the words between two shares, 0 … 1; nil without words.
    func words(from: Double, to: Double) -> (from: Double, to: Double, confidence: Double?)? {
        guard let total = ends.last else { return nil }
        // Half a letter, so that a rounded share does not reach the neighbour.
        let first = index { $0 > from * total + 0.5 }
        let last = max(first, index { $0 >= to * total - 0.5 })
        guard words.indices.contains(first), words.indices.contains(last) else { return nil }
        return (words[first].start, words[last].end, HeardSpeech.mean(words[first...last].compactMap(\.confidence)))
    }

    /// The first whose end satisfies the condition, which all later ones do; else the last.
    private func index(where isReached: (Double) -> Bool) -> Int {
        var (low, high) = (0, max(0, ends.count - 1))
        while low < high {
            let middle = (low + high) / 2
            if isReached(ends[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }

    static func letters(_ text: String) -> Int {
        text.unicodeScalars.count { $0.properties.isAlphabetic || $0.properties.numericType != nil }
    }
}
