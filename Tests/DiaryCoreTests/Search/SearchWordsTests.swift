import Testing

@testable import DiaryCore

@Suite("What is searched for") struct SearchWordsTests {
    private func finds(_ query: String, in texts: SearchedTexts) throws -> Bool {
        var text = FoldedText()
        return try #require(SearchWords(query)).are(in: texts, &text)
    }

    private func finds(_ query: String, in text: String) throws -> Bool {
        try finds(query, in: SearchedTexts(personal: PersonalPart(edited: text), machine: MachinePart()))
    }

    @Test(
        "a word is found by its beginning, a phrase by its words in a row",
        arguments: [
            "river", "riv", "RIVER by", "bank riv", "\"by the river\"", "“by the river”", "„by the river“", "\"by the riv",
            "«the river» swam",
            "river-bank", "swam. By", "\"the\"", "e", "\"\" river", "river,",
        ])
    func found(query: String) throws { #expect(try finds(query, in: "We swam\nby the river; bank -- east.")) }

    @Test(
        "and not in the middle of a word, in another order, or when a word is missing",
        arguments: ["iver", "\"river the\"", "\"by the riv\"", "river boat", "\"by river\"", "ever", "swam-the"])
    func missing(query: String) throws { #expect(try !finds(query, in: "We swam\nby the river; bank -- east.")) }

    @Test(
        "in scripts without spaces a word is found anywhere",
        arguments: [
            ("河流", "我喜歡河流。"), ("喜", "我喜歡河流。"), ("が好", "猫が好き"), ("\u{3099}", "猫が好き"), ("\u{E38}", "ก\u{E38}ก"), ("ｶﾅ", "半角カナ"),
            ("น้ำ", "แม่น้ำ"),
        ])
    func inside(query: String, text: String) throws { #expect(try finds(query, in: text)) }

    @Test("all words must be found, over all texts together, and a phrase in one of them")
    func overAll() throws {
        let texts = SearchedTexts(
            personal: PersonalPart(title: "Lake", edited: "We swam.", tags: ["summer", "days"]),
            machine: MachinePart(raw: "heard", clean: "cleaned"), speakers: ["Anna"])

        for query in ["lake swam", "summer anna", "days", "\"we swam\" lake"] { #expect(try finds(query, in: texts), "\(query)") }
        for query in ["lake boat", "\"lake we\"", "\"summer days\"", "heard", "cleaned"] {
            #expect(try !finds(query, in: texts), "\(query)")
        }
    }

    @Test("a speaker's label is no name")
    func labels() {
        #expect(SegmentCorrections(speakers: ["A": "Anna"], segmentSpeakers: [1: "B"]).searchedNames == ["Anna"])
    }

    @Test("the shown text is the edited before the cleaned before the raw one", arguments: [("edited", 0), ("cleaned", 1), ("heard", 2)])
    func shown(word: String, present: Int) throws {
        let texts = SearchedTexts(
            personal: PersonalPart(edited: present == 0 ? "edited" : nil),
            machine: MachinePart(raw: "heard", clean: present < 2 ? "cleaned" : nil))

        for other in ["edited", "cleaned", "heard"] { #expect(try finds(other, in: texts) == (other == word)) }
    }

    @Test("a query without a word is none", arguments: ["", " ", "\"\"", "…", "- \" ! \"", "\u{301}"])
    func none(query: String) { #expect(SearchWords(query) == nil) }

    @Test("a quotation mark divides a word, too, and one of full width is none")
    func quotes() throws {
        #expect(try #require(SearchWords("foo\"bar\"baz")).terms.count == 3)
        #expect(try finds("\u{FF02}by the\u{FF02}", in: "the lake, by day"))
    }

    @Test("a term that comes twice counts once")
    func once() throws { #expect(try #require(SearchWords("River rIVER river. \"river\"")).terms.count == 2) }
}
