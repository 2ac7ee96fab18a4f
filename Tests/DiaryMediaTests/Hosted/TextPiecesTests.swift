import Testing

@testable import DiaryMedia

@Suite("A long text in pieces") struct TextPiecesTests {
    private static func texts(_ text: String, _ length: Int) -> [String] { TextPieces(text, length: length).pieces.map(\.text) }

    @Test("a text that is short enough is one piece, and none without words")
    func short() {
        #expect(Self.texts("We swam.\nIt was cold.", 6_000) == ["We swam.\nIt was cold."])
        #expect(Self.texts(" \n ", 6_000) == [])
    }

    @Test("pieces end with paragraphs, then sentences, then clauses, then words")
    func borders() {
        #expect(Self.texts("One two three. Four five.\n\nSix seven eight.", 32) == ["One two three. Four five.", "Six seven eight."])
        #expect(Self.texts("One two three four. Five six seven", 24) == ["One two three four.", "Five six seven"])
        #expect(Self.texts("He said “no more.” She left early", 24) == ["He said “no more.”", "She left early"])
        #expect(Self.texts("one two three four, five six seven", 24) == ["one two three four,", "five six seven"])
        #expect(Self.texts("one two three four five six", 12) == ["one two", "three four", "five six"])
        #expect(Self.texts("today 3.5 km and 4.25 more", 14) == ["today 3.5 km", "and 4.25 more"])
        #expect(Self.texts("first stretch\nof speech then more words", 16) == ["first stretch", "of speech then", "more words"])
    }

    @Test("scripts without spaces end at their own marks, and a word without a border is cut between letters")
    func unspaced() {
        #expect(Self.texts("今天我去湖边。水很冷！然后回家。", 8) == ["今天我去湖边。", "水很冷！", "然后回家。"])
        #expect(Self.texts("昨日は泳いだ。「寒い。」と言った。", 13) == ["昨日は泳いだ。「寒い。」", "と言った。"])
        let family = String(repeating: "👨‍👩‍👧", count: 5)
        #expect(Self.texts(family, 2).joined() == family && Self.texts(family, 2).allSatisfy { $0.count <= 2 })
    }

    @Test("whatever its length, no character but blanks is lost or doubled", arguments: [2, 3, 7, 20, 61, 200])
    func whole(_ length: Int) {
        let text = """
            We got up early. It was cold! Who would have thought; not I, not you…

            Then 今天我去湖边。水很冷！ and home, \
            supercalifragilisticexpialidocious, with words (and brackets.) at the end
            """
        let pieces = Self.texts(text, length)
        #expect(pieces.allSatisfy { !$0.isEmpty && $0.count <= length })
        #expect(pieces.joined().filter { !$0.isWhitespace } == text.filter { !$0.isWhitespace })
    }

    @Test("cleaned pieces are joined as their text was: in paragraphs, with a blank, or with nothing between")
    func joined() {
        let spaced = TextPieces("One two three. Four five.\n\nSix seven eight. Nine ten eleven.", length: 26)
        #expect(
            spaced.joined(["One, two, three. Four, five.\n", " Six, seven.", "Nine."])
                == "One, two, three. Four, five.\n\nSix, seven. Nine.")
        #expect(spaced.joined(["One.", "", "Nine."]) == "One. Nine.")
        let unspaced = TextPieces("今天我去湖边。水很冷！然后回家。", length: 8)
        #expect(unspaced.joined(["今天我去湖边。", "水很冷！", "然后回家。"]) == "今天我去湖边。水很冷！然后回家。")
        // Paragraphs that the engine made go on at the end of a sentence.
        #expect(spaced.joined(["One.\n\nFour.", "Six.", "Nine."]) == "One.\n\nFour.\n\nSix.\n\nNine.")
    }
}
