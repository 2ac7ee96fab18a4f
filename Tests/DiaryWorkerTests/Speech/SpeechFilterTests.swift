import DiaryCore
import Testing

@testable import DiaryWorker

@Suite("What speech engines invent")
struct SpeechFilterTests {
    /// A segment of two seconds each three seconds, unless it says otherwise.
    private struct Said: ExpressibleByStringLiteral {
        var text: String
        var confidence = 0.9
        /// Seconds before it.
        var gap = 1.0

        init(_ text: String, confidence: Double = 0.9, gap: Double = 1) {
            self.text = text
            self.confidence = confidence
            self.gap = gap
        }

        init(stringLiteral value: String) { self.init(value) }
    }

    private func filtered(_ said: [Said]) -> RawTranscript {
        var at = 0.0
        let segments = said.map { one in
            at += one.gap
            let words = one.text.split(separator: " ").map {
                TimedWord(text: String($0), start: at, end: at + 0.1, confidence: one.confidence)
            }
            defer { at += 2 }
            return SpeechSegment(start: at, end: at + 2, words: words)
        }
        return SpeechFilter.apply(RawTranscript(language: "en", segments: segments))
    }

    private func text(_ said: Said...) -> String { filtered(said).text }

    private func repeated(_ text: String, _ times: Int) -> String { Array(repeating: text, count: times).joined(separator: " ") }

    @Test(
        "honest repetition stays, word for word",
        arguments: [
            "No, no, no, no, no!", "Ha ha ha ha ha ha ha ha ha.", "We went and we went and we went and we went home.",
            "row row row your boat row row row your boat", "十分です はい はい はい はい", "very very very very very tired", "7 7 7 7 7 7 7 7 7 7 7 7",
        ])
    func honest(said: String) {
        let made = filtered([Said(said)])

        #expect(made.text == said)
        #expect(made.segments.allSatisfy { $0.marks == nil })
    }

    @Test("a chorus of four lines three times, and a line four times, stay")
    func chorus() {
        let lines: [Said] = ["We shall overcome", "we shall overcome", "we shall overcome some day", "Oh deep in my heart"]

        #expect(filtered(lines + lines + lines).segments.allSatisfy { $0.marks == nil && !$0.words.isEmpty })
        #expect(
            text("Let it be", "Let it be", "Let it be", "Let it be", "whisper words")
                == "Let it be\nLet it be\nLet it be\nLet it be\nwhisper words")
    }

    @Test("the same segment five times or more is kept once and marked; the cut stretch keeps its times")
    func segmentLoop() throws {
        let made = filtered(["we went home"] + Array(repeating: "I don't know what to say.", count: 40) + ["and then it rained"])

        #expect(made.text == "we went home\nI don't know what to say.\nand then it rained")
        #expect(made.segments.count == 4)
        let cut = made.segments[2]
        #expect(cut.words.isEmpty && cut.marks == ["repeated"] && cut.start < 8 && cut.end > 115)
        #expect(made.segments[1].marks == ["repeated"] && made.segments[0].marks == nil && made.segments[3].marks == nil)
    }

    @Test("segments that come by turns, again and again, are a loop too; case and marks do not matter")
    func alternating() {
        let turns: [Said] = (0..<6).flatMap { [$0 % 2 == 0 ? "Yes, I am." : "yes I am", "Are you?"] as [Said] }

        #expect(filtered(turns + ["good"]).text == "Yes, I am.\nAre you?\ngood")
    }

    @Test("inside a segment a phrase five times is kept once, a word ten times three times")
    func wordLoops() {
        #expect(text(Said("so I " + repeated("and I was like", 30) + " fine")) == "so I and I was like fine")
        #expect(text(Said("he said " + repeated("no", 50) + " to me")) == "he said no no no to me")
        #expect(text(Said(repeated("I'm going to the", 5))) == "I'm going to the")
        #expect(filtered([Said(repeated("la", 200))]).segments.first?.marks == ["repeated"])
    }

    @Test("a loop in a script without spaces is found inside its word")
    func unspaced() {
        #expect(text(Said(String(repeating: "ありがとう", count: 12))) == "ありがとう")
        #expect(text(Said("ああああああああああ")) == "ああああああああああ")
        #expect(text(Said("今日は朝早くから湖に行きましたが水はとても静かでした")) == "今日は朝早くから湖に行きましたが水はとても静かでした")
    }

    @Test(
        "the shortest passage of a text that is nothing else, five times or more; the last one may be cut off",
        arguments: [
            ("aaaaaaaaaaaaaaaaaaaa", "a"), ("abababababababababab", "ab"), ("aabaabaabaabaabaabaab", "aab"),
            ("abcdabcdabcdabcdabcdab", "abcd"), ("abaababaababaababaababaab", "abaab"), ("aaaaaaaaaaaaaaaaaaa", nil),
            ("abcdeabcdeabcdeabcde", nil), ("aaaaaaaaaaaaaaaaaaab", nil), ("baaaaaaaaaaaaaaaaaaaa", nil), ("abcdabcdabcdabcdabca", nil),
        ] as [(String, String?)])
    func onlyPassage(text: String, passage: String?) {
        #expect(SpokenLoop.once(text) == passage)
    }

    /// Comparing each of its possible passages with the text is a hundred thousand million steps, hours.
    @Test("a word of a million letters is read in linear time")
    func longWord() {
        #expect(SpokenLoop.once(String(repeating: "a", count: 1_000_000) + "b") == nil)
        #expect(SpokenLoop.once(String(repeating: "ab", count: 500_000)) == "ab")
    }

    @Test(
        "names of subtitlers are no speech wherever they stand",
        arguments: [
            "Untertitel der Amara.org-Community", "Untertitelung des ZDF, 2020", "Subtitles by the Amara.org community",
            "Sous-titres réalisés par la communauté d'Amara.org", "字幕由Amara.org社区提供", "Субтитры создавал DimaTorzok",
        ])
    func credits(said: String) throws {
        let made = filtered(["one", Said(said), "two"])

        #expect(made.text == "one\ntwo")
        #expect(made.segments[1].marks == ["not_speech"] && made.segments[1].words.isEmpty)
    }

    @Test("thanks to an audience are cut behind a silence at the end, alone, or when the engine doubts them; said in a row they stay")
    func outros() {
        #expect(text("we went home", Said("Thanks for watching!", gap: 5)) == "we went home")
        #expect(text("Thank you for watching.") == "")
        #expect(text("we went home", Said("Thanks for watching!", confidence: 0.3), "and slept") == "we went home\nand slept")
        #expect(text("and I told them", "thanks for watching") == "and I told them\nthanks for watching")
        #expect(text("Thanks for watching", Said("was what he said", gap: 5)) == "Thanks for watching\nwas what he said")
        #expect(
            text("we went home", Said("ご視聴ありがとうございました", gap: 3), Said("Untertitel im Auftrag des ZDF für funk, 2017")) == "we went home")
    }

    @Test("a lone courtesy that the engine doubts is silence; one that it is sure of, or that follows words, stays")
    func courtesies() {
        #expect(text(Said("Thank you.", confidence: 0.4)) == "")
        #expect(text(Said("Thank you.")) == "Thank you.")
        #expect(text("see you on Monday", Said("Thank you.", confidence: 0.4)) == "see you on Monday\nThank you.")
        #expect(text(Said("Thank you for the lake and the sea and all", confidence: 0.2)).hasPrefix("Thank you for"))
    }

    @Test("below 0.5 on average a segment is marked, and its words stay")
    func doubtful() {
        let made = filtered(["sure", Said("mumbled words", confidence: 0.49), Said("borderline", confidence: 0.5)])

        #expect(made.segments.map(\.marks) == [nil, ["low_confidence"], nil])
        #expect(made.text == "sure\nmumbled words\nborderline")
    }

    @Test("nothing heard stays nothing, and a filtered transcript is not changed again")
    func twice() {
        #expect(SpeechFilter.apply(RawTranscript(language: "en", segments: [])).segments.isEmpty)
        let once = filtered(
            Array(repeating: "and so on", count: 9) + [Said(repeated("la", 50)), Said("Vielen Dank fürs Zuschauen", gap: 9)])
        #expect(SpeechFilter.apply(once) == once)
    }
}
