import DiaryCore

/// Whether a cleaned text is a reading of the raw one: fillers, repeats, casing, punctuation and inflection may change, nothing else.
///
/// Independent of the cleaner. A few small words may come and some may go; a name, a number, a negation or
/// another word that is new, a number or a negation that is gone, or many words that are, refuse the whole text.
enum FidelityGuard {
    /// - Parameter language: a BCP 47 tag, or `und`.
    static func judge(_ clean: String, of raw: String, language: String) -> Cleanup {
        if clean.allSatisfy(\.isWhitespace) { return Cleanup(thousandths: 0, reason: .tooShort) }
        if clean.utf8.count > 3 * raw.utf8.count + longest { return Cleanup(thousandths: 0, reason: .tooLong) }
        let comparison = FidelityComparison(clean, of: raw, language: SpeechLanguages.primary(language))
        let isForeign = MarkupSigns.isNew(in: clean, beside: raw) || WrittenForm.isNew(in: WrittenForm(clean), beside: WrittenForm(raw))
        let reason = isForeign ? .markup : comparison.reason
        return Cleanup(thousandths: comparison.thousandths, reason: reason)
    }

    /// Bytes by which a short text may exceed three times its raw one before both are compared.
    private static let longest = 2_000
}

/// What the words of a cleaned text have kept, lost and gained.
struct FidelityComparison {
    private let language: LanguageWords
    private let raw: [FidelityWord]
    private let clean: [FidelityWord]
    private let losses: FidelityLosses
    private let gains: FidelityGains
    private let isOtherLanguage: Bool
    private let isRefusal: Bool

    init(_ clean: String, of raw: String, language named: String) {
        let (rawPieces, cleanPieces) = (FidelityTokenizer.pieces(raw), FidelityTokenizer.pieces(clean))
        let (rawKeys, cleanKeys) = (rawPieces.map(\.key), cleanPieces.map(\.key))
        language = LanguageWords.of(rawKeys, named: named)
        self.raw = FidelityWord.list(rawPieces, in: language)
        self.clean = FidelityWord.list(cleanPieces, in: language)

        var numbered = NumberedWords(language)
        let rawIDs = self.raw.map { numbered.number($0) }
        let cleanIDs = self.clean.map { numbered.number($0) }
        var alignment = WordAlignment(
            .init(ids: rawIDs, costs: self.raw.map(\.cost), joined: Self.joined(self.raw, numbered)),
            .init(ids: cleanIDs, costs: self.clean.map { $0.cost + 1 }, joined: Self.joined(self.clean, numbered)), &numbered)
        if language.code == "de" || language.code == "nl" { alignment.linkMovedVerb(self.raw, rawIDs, self.clean, cleanIDs) }
        losses = FidelityLosses(self.raw, rawIDs, alignment, language)
        gains = FidelityGains(self.clean, alignment, language)

        let isForeign = gains.kept * 2 < self.clean.count
        let found = LanguageWords.detected(cleanKeys)
        let isAnother = found.1 > 1 && found.0?.code != language.code && found.1 > cleanKeys.count(where: language.isTypical)
        isOtherLanguage = isForeign && (isAnother || Self.scripts(cleanKeys).isDisjoint(with: Self.scripts(rawKeys)))
        isRefusal = RefusalPhrases.occurs(in: cleanKeys) && !RefusalPhrases.occurs(in: rawKeys)
    }

    var thousandths: Int {
        let changed = losses.weight + 2 * gains.count
        let all = 4 * losses.kept + changed
        return all == 0 ? 1_000 : 4_000 * losses.kept / all
    }

    /// nil: it is a reading of the raw text.
    var reason: Cleanup.Reason? {
        if clean.isEmpty { return raw.isEmpty ? nil : .tooShort }
        guard let found = gains.reason ?? losses.reason else { return nil }
        if isRefusal { return .refusal }
        if isOtherLanguage { return .otherLanguage }
        if clean.count > raw.count * 3 / 2 + 20 { return .tooLong }
        if clean.count * 10 < raw.count * 3, losses.reason != nil { return .tooShort }
        if gains.hasNumber { return .newNumber }
        if losses.hasNumber { return .lostNumber }
        if gains.hasNegation { return .newNegation }
        return losses.hasNegation ? .lostNegation : found
    }

    private static func joined(_ words: [FidelityWord], _ numbered: NumberedWords) -> [Int32] {
        var joined = zip(words, words.dropFirst()).map { numbered.joined($0, $1) ?? -1 }
        if !words.isEmpty { joined.append(-1) }
        return joined
    }

    /// Blocks of 128 code points (Latin, Greek, Cyrillic …; all ideographs as one).
    private static func scripts(_ keys: [String]) -> Set<UInt32> {
        var scripts: Set<UInt32> = []
        for key in keys {
            guard let first = key.unicodeScalars.first, first.properties.isAlphabetic else { continue }
            scripts.insert(ScriptUnits.contains(first) && first.value > 0x3000 ? 0x3000 : first.value & ~0x7F)
        }
        return scripts
    }
}

extension FidelityWord {
    /// What it costs to leave the word without a counterpart: the alignment keeps the words that matter.
    fileprivate var cost: Int32 {
        switch wordClass {
        case .neutral, .light: 2
        case .content, .unit: 4
        case .negation, .number: 5
        }
    }
}
