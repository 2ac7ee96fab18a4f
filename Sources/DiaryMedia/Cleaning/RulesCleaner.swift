package import DiaryCore

/// Cleans a transcript by fixed rules, in this process and without a network.
///
/// Removes fillers and doubled words in the languages of `FillerWords`, blanks in every one. A text that the recogniser punctuated keeps
/// its punctuation and capitals, and gains paragraphs alone; in another one sentence ends come from pauses, and capitals in English. It
/// adds no word, and returns the raw text when nothing would remain.
package struct RulesCleaner: TextEngine {
    package init() {}

    package func clean(_ raw: RawTranscript, _ request: TextRequest) async throws(ProviderFailure) -> TextAnswer {
        TextAnswer(clean: text(raw))
    }

    private func text(_ raw: RawTranscript) -> String {
        let language = SpeechLanguages.primary(raw.language)
        var tokens = CleaningToken.list(raw)
        let isPunctuated = tokens.isPunctuated
        if isPunctuated { tokens.keepParagraphPauses() }
        if let words = FillerWords.all[language] {
            Fillers(words: words).remove(&tokens)
            RepeatedWords(words: words).fold(&tokens)
        }
        if language == "en", !isPunctuated { EnglishCasing.apply(&tokens) }
        let text = SentenceComposer.of(language).compose(tokens, isPunctuated: isPunctuated)
        return text.isEmpty ? raw.text : text
    }
}

/// Words that English always capitalises: I, days, months, a few holidays.
enum EnglishCasing {
    static func apply(_ tokens: inout [CleaningToken]) {
        for index in tokens.indices where needsCapital(tokens, index) {
            tokens[index].core = tokens[index].core.capitalizedFirst
        }
    }

    private static func needsCapital(_ tokens: [CleaningToken], _ index: Int) -> Bool {
        let word = tokens[index].key
        if word == "i" || word.hasPrefix("i'") { return true }
        let stem = word.hasSuffix("'s") ? String(word.dropLast(2)) : word
        if always.contains(stem) || (stem.hasSuffix("s") && days.contains(String(stem.dropLast()))) { return true }
        // "may" and "march" are also verbs.
        guard stem == "may" || stem == "march", index > 0 else { return false }
        guard let before = tokens.key(index - 1), dated.contains(before) else { return false }
        let after = tokens.key(index + 1) ?? ""
        return !["be", "have", "not", "i", "he", "she", "we", "they", "to"].contains(after)
    }

    private static let days: Set<String> = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
    private static let always: Set<String> = days.union([
        "january", "february", "april", "june", "july", "august", "september", "october", "november", "december", "christmas", "easter",
        "thanksgiving", "halloween", "english",
    ])
    private static let dated: Set<String> = ["in", "since", "until", "till", "by", "during", "last", "next", "early", "late", "mid", "of"]
}

extension String {
    /// Leaves the rest as it is.
    var capitalizedFirst: String {
        guard let first else { return self }
        return first.uppercased() + dropFirst()
    }
}
