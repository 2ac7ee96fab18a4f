import Testing

@testable import DiaryCore

@Suite("Which language an engine is asked for")
struct SpeechLanguagesTests {
    @Test("the client's language decides, then the profile's, and the locale's for an engine with a list of languages")
    func choices() {
        let english = SpeechLanguages(["en"])

        #expect(english.choose(entry: "en-GB", profile: ["de"], locale: "de") == .recognize("en-GB"))
        #expect(english.choose(entry: nil, profile: ["de", "en"], locale: "de") == .recognize("en"))
        #expect(english.choose(entry: nil, profile: [], locale: "en-US") == .recognize("en-US"))
        #expect(english.choose(entry: nil, profile: [], locale: "de-DE") == .unsupported)
        #expect(english.choose(entry: nil, profile: [], locale: "und") == .recognize(nil))
        #expect(english.choose(entry: nil, profile: [], locale: nil) == .recognize(nil))
    }

    @Test("an engine that finds the language out is not told the locale's")
    func detecting() {
        #expect(SpeechLanguages.all.choose(entry: nil, profile: [], locale: "de-DE") == .recognize(nil))
        #expect(SpeechLanguages.all.choose(entry: nil, profile: ["de"], locale: "en") == .recognize("de"))
    }
}
