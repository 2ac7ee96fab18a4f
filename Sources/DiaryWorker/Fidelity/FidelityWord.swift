/// How much a word may be missing from the cleaned text, or be new in it.
enum WordClass: UInt8, Sendable {
    /// Articles, auxiliaries, a few prepositions: a few may come or go, as grammar needs them.
    case neutral
    /// Conjunctions and particles: a few may go, none may come.
    case light
    case content
    case negation
    case number
    /// The name of a number's unit, which may be written as a sign: `dollars`, `Uhr`.
    case unit
}

/// A word of either text, in the form that is compared.
struct FidelityWord: Sendable {
    /// Lower case, without accents; contractions are written out.
    var key: String
    var wordClass: WordClass
    /// Written with a capital letter within a sentence.
    var isNameLike = false
    var number: NumberRun?
    var opensSentence = false
}

extension FidelityWord {
    /// The words of a text, contractions written out and numbers read; sounds of hesitation are left out.
    static func list(_ pieces: [FidelityTokenizer.Piece], in language: LanguageWords) -> [FidelityWord] {
        let pieces = joined(
            pieces.indices.flatMap { index in
                // The "m" and "l" of "5 m" and "2 l" are no elided words.
                index > 0 && pieces[index - 1].isNumber && pieces[index].key.utf8.count == 1
                    ? [pieces[index]] : expand(pieces[index], language)
            }.filter { !language.sounds.contains($0.key) || $0.isAllCaps })
        let numbers = SpokenNumbers(words: .of(language.code), pieces: pieces)
        var words: [FidelityWord] = []
        words.reserveCapacity(pieces.count)
        var at = 0
        while at < pieces.count {
            if let (run, between, count) = numbers.run(at: at) {
                if let last = words.indices.last, signs.contains(words[last].key) {
                    (words[last].key, words[last].wordClass) = ("minus", .number)
                }
                words.append(FidelityWord(key: run.key, wordClass: .number, number: run, opensSentence: pieces[at].opensSentence))
                words += between.map { FidelityWord(pieces[$0], language) }
                at += count
            } else {
                if pieces[at].isStroke, numbers.run(at: at + 1) != nil {
                    words.append(FidelityWord(key: "minus", wordClass: .number))
                } else if !pieces[at].isStroke || pieces[at].key != "-" {
                    words.append(FidelityWord(pieces[at], language))
                }
                at += 1
            }
        }
        if language.code == "fr" { dropSilentWords(&words) }
        return words
    }

    private static func joined(_ pieces: [FidelityTokenizer.Piece]) -> [FidelityTokenizer.Piece] {
        var joined: [FidelityTokenizer.Piece] = []
        joined.reserveCapacity(pieces.count)
        for piece in pieces {
            if let last = joined.last, let key = MeasureWords.common(last.key, piece.key) {
                joined[joined.count - 1].key = key
            } else {
                joined.append(piece)
            }
        }
        return joined
    }

    /// Words that, before a number, put it below zero.
    private static let signs: Set<String> = ["minus", "moins", "menos", "meno", "минус", "负", "マイナス"]

    private init(_ piece: FidelityTokenizer.Piece, _ language: LanguageWords) {
        let key = MeasureWords.common(piece.key)
        self.init(
            key: key, wordClass: language.wordClass(key), isNameLike: piece.isCapital && !piece.opensSentence && key != "i",
            opensSentence: piece.opensSentence)
    }

    private static func expand(_ piece: FidelityTokenizer.Piece, _ language: LanguageWords) -> [FidelityTokenizer.Piece] {
        guard !piece.isNumber else { return [piece] }
        if let words = language.variants[piece.key] { return parts(words, of: piece) }
        guard piece.key.contains("'") else { return [piece] }
        var words: [String] = []
        for (index, part) in piece.key.split(separator: "'").enumerated() {
            var part = String(part)
            if index > 0 {
                part = suffixes[language.code]?[part] ?? part
            }
            words += language.variants[part] ?? [part]
        }
        return parts(words, of: piece)
    }

    private static let suffixes: [String: [String: String]] = [
        "en": ["s": "'s", "d": "'d", "ll": "will", "re": "are", "ve": "have", "m": "am", "t": "not"],
        "de": ["s": "es", "n": "ein", "nen": "einen"],
    ]

    private static func parts(_ words: [String], of piece: FidelityTokenizer.Piece) -> [FidelityTokenizer.Piece] {
        words.enumerated().map { index, word in
            var part = piece
            part.key = word
            if index > 0 { (part.opensSentence, part.isCapital) = (false, words.count == 2 && piece.isCapital && piece.key.contains("'")) }
            return part
        }
    }

    private static let impersonal: Set<String> = ["y", "faut", "fallait", "faudra", "faudrait"]

    /// Spoken French leaves the "ne" of a negation out; it counts only where no other word denies.
    private static func dropSilentWords(_ words: inout [FidelityWord]) {
        var kept: [FidelityWord] = []
        kept.reserveCapacity(words.count)
        for (index, word) in words.enumerated() {
            // "il y a", "il faut": spoken without the "il".
            if word.key == "il", words[(index + 1)...].first(where: { $0.key != "ne" }).map({ impersonal.contains($0.key) }) == true {
                continue
            }
            guard word.key == "ne" else {
                kept.append(word)
                continue
            }
            if words[(index + 1)...].prefix(5).contains(where: { $0.wordClass == .negation }) { continue }
            kept.append(FidelityWord(key: "ne", wordClass: .negation))
        }
        words = kept
    }
}
