import DiaryCore

/// A word that the rules work on, separate from the punctuation that a recogniser may have written around it.
struct CleaningToken: Sendable, Equatable {
    var leading: String
    var core: String
    var trailing: String
    /// Seconds of silence before the word; 0 for the first.
    var pause: Double
    /// True for the first word of a segment.
    var opensSegment: Bool

    /// The form that rules compare: lower case, with the plain apostrophe.
    var key: String { String(core.lowercased().map { $0 == "\u{2019}" ? "'" : $0 }) }

    var endsSentence: Bool { trailing.contains { ".?!…。．！？।؟۔".contains($0) } }
    var endsClause: Bool { !trailing.isEmpty }

    /// All words of a transcript. A text with blanks, as some recognisers return for phrases, counts as several words.
    static func list(_ transcript: RawTranscript) -> [CleaningToken] {
        var tokens: [CleaningToken] = []
        var end: Double?
        for segment in transcript.segments {
            var opensSegment = true
            for word in segment.words {
                for part in word.text.split(whereSeparator: \.isWhitespace) {
                    // French writes a blank before "?", "!" and ":"; dashes have one on either side.
                    if !tokens.isEmpty, !opensSegment, part.allSatisfy({ ".?!…,;:»-–—".contains($0) }) {
                        tokens[tokens.count - 1].trailing += " " + part
                        end = word.end
                        continue
                    }
                    let pause = opensSegment || part.startIndex == word.text.startIndex ? end.map { max(0, word.start - $0) } ?? 0 : 0
                    tokens.append(CleaningToken(part, pause: pause.isFinite ? pause : 0, opensSegment: opensSegment))
                    opensSegment = false
                    end = word.end
                }
            }
        }
        return tokens
    }

    init(_ text: Substring, pause: Double, opensSegment: Bool) {
        let core = text.drop { !$0.isSpoken }
        let end = core.lastIndex { $0.isSpoken }.map { core.index(after: $0) } ?? core.startIndex
        leading = String(text[text.startIndex..<core.startIndex])
        self.core = String(core[core.startIndex..<end])
        trailing = String(core[end..<core.endIndex])
        self.pause = pause
        self.opensSegment = opensSegment
    }

    var text: String { leading + core + trailing }
}

extension Character {
    fileprivate var isSpoken: Bool { isLetter || isNumber || isSymbol || "%&@#".contains(self) }
}

extension [CleaningToken] {
    /// True when the recogniser wrote sentence ends, which take precedence over pauses. Fewer came with a correction.
    var isPunctuated: Bool {
        let ends = count(where: \.endsSentence)
        return ends > 0 && ends * 40 >= count
    }

    /// Pauses within paragraphs say less than the marks of a punctuated text: its segments end anywhere.
    mutating func keepParagraphPauses() {
        for index in indices {
            self[index].opensSegment = false
            if self[index].pause < CleaningPauses.paragraph { self[index].pause = 0 }
        }
    }

    /// Removes words; their pause, quotation marks, sentence end and the capital of a sentence's start pass to the neighbouring words.
    /// - Parameter keepsComma: of the commas around the words one stays.
    mutating func drop(_ range: Range<Int>, keepsComma: Bool = false) {
        guard let first = range.first, let last = range.last, last < count else { return }
        let pause = self[first...last].map(\.pause).max() ?? 0
        if last + 1 < count {
            self[last + 1].pause = Swift.max(self[last + 1].pause, pause)
            self[last + 1].opensSegment = self[last + 1].opensSegment || self[first].opensSegment
            if opensSentence(first), self[first].core.first?.isUppercase == true {
                self[last + 1].core = self[last + 1].core.capitalizedFirst
            }
            self[last + 1].leading = self[first].leading + self[last + 1].leading
        }
        if first > 0 {
            let (before, after) = (self[first - 1].trailing, self[last].trailing)
            let (open, closing) = (before.hasSuffix(",") ? String(before.dropLast()) : before, after.drop { ",;:.?!…-–— ".contains($0) })
            if self[last].endsSentence, !self[first - 1].endsSentence {
                self[first - 1].trailing = open + after
            } else if closing.isEmpty, last + 1 >= count || (after == "," && !keepsComma) {
                // The commas around a filler belong to it.
                self[first - 1].trailing = open
            } else {
                self[first - 1].trailing = before + closing
            }
        }
        removeSubrange(range)
    }

    func key(_ index: Int) -> String? { indices.contains(index) ? self[index].key : nil }

    /// Seconds of silence before this word; infinite after the last one.
    func pause(_ index: Int) -> Double { indices.contains(index) ? self[index].pause : .infinity }

    /// True for the first word of the text, after a sentence end or a quotation mark.
    func opensSentence(_ index: Int) -> Bool {
        index == 0 || self[index - 1].endsSentence || self[index - 1].core.isEmpty || !self[index].leading.isEmpty
    }

    /// True for the first word after a sentence end, a segment start or a full-stop pause.
    func opensClause(_ index: Int) -> Bool {
        guard index > 0, index < count else { return true }
        return self[index].opensSegment || self[index].pause >= CleaningPauses.sentence || self[index - 1].endsClause
    }
}

/// Seconds.
enum CleaningPauses {
    /// A breath on each side sets a filler apart.
    static let breath = 0.15
    static let comma = 0.3
    static let sentence = 0.5
    static let paragraph = 2.0
}
