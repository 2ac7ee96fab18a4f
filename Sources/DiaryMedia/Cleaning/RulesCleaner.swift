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
