package import DiaryCore

/// Cleans a transcript by fixed rules, at once and without a network.
///
/// English: fillers and slips go, capitals and sentences come. Other languages: blanks and sentence ends only. It never adds a
/// word, and what would become empty is returned as it was heard.
package struct RulesCleaner: TranscriptCleaner {
    package init() {}

    package func clean(_ raw: RawTranscript) async throws(ProviderFailure) -> String {
        let language = LanguageTag(raw.language).primary
        var tokens = CleaningToken.list(raw)
        guard language == "en" else { return SentenceComposer.other(language).compose(tokens) }
        EnglishFillers.remove(&tokens)
        RepeatedWords.fold(&tokens)
        EnglishCasing.apply(&tokens)
        let text = SentenceComposer.english.compose(tokens)
        return text.isEmpty ? raw.text : text
    }
}
