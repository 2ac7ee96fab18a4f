import DiaryCore

/// What may be kept of the title, summary, key points, tags and mood that an engine has made of a text. Each by itself: what does not
/// pass is dropped, and the rest stays.
///
/// A description has other words than the text, in another order, so there is nothing to align. It must not have what the text lacks: a
/// number, a name, a negation, signs that no speech has, an address; and a good part of its words must be the text's.
struct ExtrasGuard {
    /// Lengths of a summary and of a key point, in code points. Title, tags and mood have the limits of what a person writes.
    static let summaryLength = 2_000
    static let keyPointLength = 300
    static let keyPointCount = 10
    static let tagCount = 8

    private let signs: Set<MarkupSigns>
    private let raw: [Unicode.Scalar]
    private let addresses: Set<String>
    private let language: LanguageWords
    private let givesOrders: Bool
    private var numbered: NumberedWords
    private let known: Set<Int32>
    private let numbers: [[String]]
    private let hasNegation: Bool

    /// - Parameter language: a BCP 47 tag, or `und`.
    init(_ raw: String, language named: String) {
        signs = MarkupSigns.all(in: raw)
        self.raw = Array(raw.unicodeScalars)
        addresses = Set(Self.addresses.filter { raw.contains($0) })
        let pieces = FidelityTokenizer.pieces(raw)
        let keys = pieces.map(\.key)
        givesOrders = SpokenInstructions.occur(in: keys)
        language = LanguageWords.of(keys, named: SpeechLanguages.primary(named))
        let words = FidelityWord.list(pieces, in: language)
        var numbered = NumberedWords(language)
        known = Set(words.map { numbered.number($0) })
        self.numbered = numbered
        numbers = words.compactMap { $0.number?.units.map(\.digits) }
        hasNegation = words.contains { $0.wordClass == .negation }
    }

    /// - Parameter extras: those that the app wants.
    mutating func kept(of answer: TextAnswer, _ extras: Set<TextRequest.Extra>) -> ExtraTexts {
        var kept = ExtraTexts()
        guard !givesOrders else { return kept }
        if extras.contains(.title), let title = Self.line(answer.title, max: PersonalText.title.length), describes(title, share: (1, 2)) {
            kept.suggestions.title = title
        }
        if extras.contains(.summary), let summary = Self.text(answer.summary, max: Self.summaryLength), describes(summary, share: (2, 5)) {
            kept.summary = summary
        }
        if extras.contains(.keyPoints) {
            for point in answer.keyPoints.prefix(Self.keyPointCount) {
                guard let point = Self.line(point, max: Self.keyPointLength), describes(point, share: (2, 5)) else { continue }
                if !kept.keyPoints.contains(point) { kept.keyPoints.append(point) }
            }
        }
        if extras.contains(.suggestions) {
            var labels: Set<EntryLabel> = []
            for tag in answer.tags.prefix(3 * Self.tagCount) where kept.suggestions.tags.count < Self.tagCount {
                guard let tag = Self.line(tag, max: PersonalPart.tagLength), names(tag), labels.insert(EntryLabel(.tag, tag)).inserted
                else {
                    continue
                }
                kept.suggestions.tags.append(tag)
            }
            if let mood = Self.line(answer.mood, max: PersonalText.mood.length), names(mood) { kept.suggestions.mood = mood }
        }
        return kept
    }

    // MARK: rules

    /// - Parameter share: of its words that the text must have.
    private mutating func describes(_ text: String, share: (Int, of: Int)) -> Bool {
        guard isPlain(text) else { return false }
        let pieces = FidelityTokenizer.pieces(text)
        guard !RefusalPhrases.occurs(in: pieces.map(\.key)) else { return false }
        var (content, found) = (0, 0)
        for word in FidelityWord.list(pieces, in: language) {
            let isKnown = isKnown(word)
            switch word.wordClass {
            case .negation: if !hasNegation { return false }
            case .number: if !isKnown { return false }
            case .neutral, .light: continue
            case .content, .unit:
                // In German every noun looks like a name.
                if word.isNameLike, !isKnown, language.code != "de" { return false }
            }
            content += 1
            if isKnown { found += 1 }
        }
        // A name at the beginning of a sentence looks like every other word there.
        guard language.code == "de" || !opensWithNewWord(pieces) else { return false }
        return content > 0 && found * share.of >= content * share.0
    }

    /// A tag or a mood: a word or a few, which the text need not have, but no number that it lacks.
    private mutating func names(_ text: String) -> Bool {
        guard isPlain(text), text.unicodeScalars.allSatisfy(Self.isLabelCharacter), text.split(separator: " ").count <= 4 else {
            return false
        }
        let pieces = FidelityTokenizer.pieces(text)
        guard !pieces.isEmpty else { return false }
        for word in FidelityWord.list(pieces, in: language) where word.wordClass == .number { guard isKnown(word) else { return false } }
        // Engines are asked for lower case: a capital letter is a name.
        guard language.code != "de" else { return true }
        return pieces.allSatisfy { piece in !piece.isCapital || isKnown(FidelityWord(key: piece.key, wordClass: .content)) }
    }

    private mutating func opensWithNewWord(_ pieces: [FidelityTokenizer.Piece]) -> Bool {
        for piece in pieces where piece.opensSentence && piece.isCapital && !piece.isNumber {
            // What stands for two words ("I'm", "We'd") is no name.
            guard !piece.key.contains("'"), language.variants[piece.key] == nil, language.wordClass(piece.key) == .content else { continue }
            guard !Self.openers.contains(piece.key), !isKnown(FidelityWord(key: piece.key, wordClass: .content)) else { continue }
            return true
        }
        return false
    }

    /// Words that begin a description and are no names.
    private static let openers = Set(
        """
        speaker writer author narrator they he she it we i you their his her our my there this that today yesterday later then after before \
        during while when early morning afternoon evening night day feeling going time both despite although because nous je on il elle ils elles \
        ce cette journee matin soir apres avant hoy dia tarde manana noche despues antes ella ellos ellas nosotros oggi giornata mattina sera \
        dopo prima lui lei loro noi hoje manha noite depois ele ela eles vandaag dag ochtend avond daarna hij zij ze wij dzisiaj dzis dzien potem \
        ona oni сегодня день утро вечер потом он она они мы я idag dagen morgon kvall han hon vi de
        """.split(separator: " ").map(String.init))

    private mutating func isKnown(_ word: FidelityWord) -> Bool {
        let id = numbered.number(word)
        if known.contains(id) { return true }
        if let number = word.number { return numbers.contains { Self.contains($0, number.units.map(\.digits)) } || isForm(id) }
        return isForm(id)
    }

    private mutating func isForm(_ id: Int32) -> Bool {
        for other in known where numbered.isSimilar(other, id) { return true }
        return false
    }

    /// Whether `part` stands in `whole` in one piece: "3:30" in "three thirty or four".
    private static func contains(_ whole: [String], _ part: [String]) -> Bool {
        guard !part.isEmpty, part.count <= whole.count else { return false }
        return (0...whole.count - part.count).contains { whole[$0..<$0 + part.count].elementsEqual(part) }
    }

    private func isPlain(_ text: String) -> Bool {
        MarkupSigns.all(in: text).isSubset(of: signs) && !UnsaidSigns.areMore(in: Array(text.unicodeScalars), than: raw)
            && Self.addresses.allSatisfy { !text.contains($0) || addresses.contains($0) }
    }

    private static let addresses = ["://", "www.", "@"]

    private static func isLabelCharacter(_ scalar: Unicode.Scalar) -> Bool {
        if scalar == " " || scalar == "-" || scalar == "'" || scalar == "’" || scalar == "&" { return true }
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .nonspacingMark, .spacingMark,
            .decimalNumber:
            return true
        default: return false
        }
    }

    // MARK: forms

    /// One line without control characters; nil when nothing is left, or too much.
    private static func line(_ text: String?, max: Int) -> String? {
        guard let text = text.map({ withoutControls($0, keepsLines: false) }), !text.isEmpty, text.unicodeScalars.count <= max,
            OneLineText.accepts(text)
        else { return nil }
        return text
    }

    /// In paragraphs.
    private static func text(_ text: String?, max: Int) -> String? {
        guard let text = text.map({ withoutControls($0, keepsLines: true) }), !text.isEmpty, text.unicodeScalars.count <= max else {
            return nil
        }
        return text
    }

    private static func withoutControls(_ text: String, keepsLines: Bool) -> String {
        text.split(whereSeparator: \.isNewline).map { line in
            line.split { $0.isWhitespace || $0.unicodeScalars.contains { $0.properties.generalCategory == .control } }.joined(
                separator: " ")
        }
        .filter { !$0.isEmpty }.joined(separator: keepsLines ? "\n" : " ")
    }
}

/// What is kept of an engine's answer besides the cleaned text.
struct ExtraTexts: Equatable {
    var suggestions = Suggestions()
    var summary: String?
    var keyPoints: [String] = []
}
