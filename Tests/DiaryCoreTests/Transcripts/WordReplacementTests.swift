import Testing

@testable import DiaryCore

@Suite("Corrected words in a cleaned text")
struct WordReplacementTests {
    private static let heard = "um we swam to the hous you know before before breakfast\nand then we we went home"
    private static let clean = "We swam to the house before breakfast. Then we went home."

    private func corrected(_ old: String, _ new: String) -> String? {
        WordReplacement.text(Self.clean, replacing: Self.heard, by: Self.heard.replacing(old, with: new))
    }

    @Test("a changed word is changed where it stands, and nothing else")
    func word() {
        #expect(corrected("swam", "rowed") == "We rowed to the house before breakfast. Then we went home.")
        #expect(corrected("went home", "went back, by train") == "We swam to the house before breakfast. Then we went back, by train.")
    }

    @Test("a word that the cleaner wrote otherwise is found between its neighbours")
    func rewritten() {
        #expect(corrected("hous", "lighthouse") == "We swam to the lighthouse before breakfast. Then we went home.")
    }

    @Test("the case of a sentence's beginning stays")
    func beginning() {
        #expect(corrected("um we", "um they") == "They swam to the house before breakfast. Then we went home.")
    }

    @Test("words that are added and taken out leave the text around them")
    func addedAndTaken() {
        #expect(corrected("swam to", "swam slowly to") == "We swam slowly to the house before breakfast. Then we went home.")
        #expect(corrected(" to the hous", "") == "We swam before breakfast. Then we went home.")
        #expect(corrected("before breakfast", "before") == "We swam to the house before. Then we went home.")
    }

    @Test("a word that the cleaner left out changes nothing when it is taken out")
    func filler() {
        #expect(corrected("um we", "we") == Self.clean)
        #expect(corrected("before before", "before") == Self.clean && corrected("we we", "we") == Self.clean)
        #expect(corrected(" you know", "") == Self.clean)
        // A word that stands for several stays with those that are left.
        #expect(WordReplacement.text("I will go home.", replacing: "i um gonna go home", by: "i gonna go home") == "I will go home.")
    }

    @Test("a correction that is taken back restores the word")
    func back() throws {
        let changed = Self.heard.replacing("swam", with: "rowed")
        let shown = try #require(WordReplacement.text(Self.clean, replacing: Self.heard, by: changed))
        #expect(WordReplacement.text(shown, replacing: changed, by: Self.heard) == Self.clean)
    }

    @Test("scripts without spaces are corrected letter by letter")
    func unspaced() {
        #expect(WordReplacement.text("今日は天気がいい。", replacing: "今日は電気がいい", by: "今日は元気がいい") == "今日は元気がいい。")
    }

    @Test("long texts keep their places, and a text that says something else gives no place")
    func long() throws {
        let words = (0..<5_000).map { "word\($0 % 700) then\($0)" }
        let old = words.joined(separator: " ")
        let clean = words.map { $0 + "." }.joined(separator: "\n\n")
        let new = old.replacing("then2500 ", with: "now ")
        #expect(WordReplacement.text(clean, replacing: old, by: new) == clean.replacing("then2500.", with: "now."))

        let other = (0..<200).map { "other\($0)" }.joined(separator: " ")
        #expect(WordReplacement.text(other, replacing: old, by: new) == nil)
        #expect(WordReplacement.text("", replacing: "one", by: "two") == "two")
    }

    @Test("texts whose words would be looked at over and over give no place")
    func endless() {
        /// Each word is there twice, and once when the one before it has been found.
        func text(_ filler: String) -> String {
            (1...400).map { "\(filler) w\($0 + 1) \(filler) w\($0) \(filler)" }.joined(separator: " ") + " w401"
        }
        #expect(WordReplacement.text(text("p"), replacing: text("q"), by: text("q") + " end") == nil)
    }
}
