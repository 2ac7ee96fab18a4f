package import DiaryCore

/// Cleans a transcript by fixed rules, in this process and without a network.
///
/// English: removes fillers and slips, adds capitals and sentence ends. Other languages: blanks and sentence ends only. It adds
/// no word, and returns the raw text when nothing would remain.
package struct RulesCleaner: TextEngine {
    package init() {}

    package func clean(_ raw: RawTranscript, _ request: TextRequest) async throws(ProviderFailure) -> TextAnswer {
        TextAnswer(clean: text(raw))
    }

    private func text(_ raw: RawTranscript) -> String {
        let language = SpeechLanguages.primary(raw.language)
        var tokens = CleaningToken.list(raw)
        guard language == "en" else { return SentenceComposer.other(language).compose(tokens) }
        EnglishFillers.remove(&tokens)
        RepeatedWords.fold(&tokens)
        EnglishCasing.apply(&tokens)
        let text = SentenceComposer.english.compose(tokens)
        return text.isEmpty ? raw.text : text
    }
}
