import DiaryCore
import Testing

@testable import DiaryMedia

@Suite("Languages of hosted engines")
struct LanguageChoiceTests {
    @Test(
        "Whisper's names and codes become tags",
        arguments: [
            ("english", "en"), ("English", "en"), ("en", "en"), ("en-US", "en"), ("haitian creole", "ht"), ("mandarin", "zh"), ("jw", "jv"),
            ("javanese", "jv"), ("yue", "yue"), ("norwegian", "no"),
        ])
    func tags(answer: String, tag: String) {
        #expect(WhisperLanguages.tag(answer) == tag)
    }

    @Test("other words are no language", arguments: ["", "x", "klingon", "e1", "auto-detected", "ÄÖ"])
    func unknown(answer: String) {
        #expect(WhisperLanguages.tag(answer) == nil)
    }

    @Test(
        "a tag is sent as the code that Whisper knows",
        arguments: [("de-CH", "de"), ("EN_gb", "en"), ("nb-NO", "no"), ("nn", "nn"), ("jv", "jw"), ("fil", "tl"), ("haw", "haw")])
    func codes(tag: String, code: String) {
        #expect(WhisperLanguages.code(tag) == code)
    }

    private func heard(_ language: String?, _ logprob: Double? = nil, text: String = "words here") -> HeardSpeech {
        HeardSpeech(language: language, segments: [HeardSegment(text: text, logprob: logprob)], use: EngineUse(audioSeconds: 3))
            .withoutSilence()
    }

    @Test(
        "a second pass is for a language that was found and is none of the account's",
        arguments: [
            (nil, "fr", ["de-CH", "en"], "de-CH"), (nil, "de", ["de-CH", "en"], nil), (nil, "en", ["de", "en-GB"], nil),
            (nil, "fr", [], nil),
            ("fr", "fr", ["de"], nil), (nil, nil, ["de"], nil), (nil, "no", ["nb"], nil),
        ] as [(String?, String?, [String], String?)])
    func secondPass(asked: String?, found: String?, mine: [String], other: String?) {
        let request = SpeechRequest(language: asked, userLanguages: mine)
        #expect(OpenAISpeechEngine.secondLanguage(after: heard(found), request) == other)
    }

    @Test("a recording without speech is not sent twice")
    func silence() {
        #expect(OpenAISpeechEngine.secondLanguage(after: heard("fr", text: " "), SpeechRequest(userLanguages: ["de"])) == nil)
    }

    @Test("the surer answer counts, and the first one without a measure")
    func better() {
        #expect(OpenAISpeechEngine.isBetter(heard("de", -0.3), than: heard("fr", -0.9)))
        #expect(!OpenAISpeechEngine.isBetter(heard("de", -0.9), than: heard("fr", -0.3)))
        #expect(!OpenAISpeechEngine.isBetter(heard("de"), than: heard("fr", -0.3)))
        #expect(!OpenAISpeechEngine.isBetter(heard("de", -0.1, text: ""), than: heard("fr", -0.3)), "an empty answer is not surer")
    }

    @Test(
        "the transcript's language: as asked, else the account's for the one found, else the one found",
        arguments: [
            ("de-CH", "de", [], "de-CH"), (nil, "de", ["en", "de-AT"], "de-AT"), (nil, "fr", ["de"], "fr"),
            (nil, nil, ["de", "en"], "und"),
        ] as [(String?, String?, [String], String)])
    func answers(asked: String?, found: String?, mine: [String], language: String) {
        let answer = heard(found).answer(asked: asked, SpeechRequest(userLanguages: mine), seconds: 3)
        #expect(answer.transcript.language == language)
        #expect(answer.transcript.text == "words here")
    }
}
