import Testing

@testable import DiaryCore

@Suite("Snippets of a search") struct SearchSnippetTests {
    private func snippets(
        _ query: String, _ texts: SearchedTexts, segments: [SpeechSegment] = []
    ) throws -> [SearchSnippet] {
        var table = FoldTable.shared
        let words = try #require(SearchWords(query))
        let hit = try #require(SearchHit(words, in: texts.fields, by: &table))
        return hit.snippets { segments.isEmpty ? nil : SpokenWords(segments, by: &table) }
    }

    private func text(_ text: String) -> SearchedTexts { SearchedTexts(personal: PersonalPart(edited: text), machine: MachinePart()) }

    /// What a client marks.
    private func marked(_ snippet: SearchSnippet) -> [String] {
        let units = Array(snippet.text.utf16)
        return snippet.ranges.map { String(decoding: units[$0], as: UTF16.self) }
    }

    @Test(
        "ranges are UTF-16 units of the text as it was written",
        arguments: [
            ("cafe", "🎉 Cafe\u{301} Nord", ["Cafe\u{301}"]), ("strass", "Die Straße", ["Straß"]),
            ("swam riv", "We swam; rivers, river", ["swam", "riv", "riv"]),
            ("\"the river\"", "by the RIVER", ["the RIVER"]), ("河流", "我喜歡河流", ["河流"]), ("河 流", "我喜歡河流", ["河", "流"]),
            ("ab abc", "abcd", ["abc"]), ("🎉", "a🎉", ["🎉"]),
        ])
    func ranges(query: String, of whole: String, expected: [String]) throws {
        let found = try snippets(query, text(whole))

        #expect(found.map(\.field) == [.text] && found.map(\.text) == [whole] && found.flatMap(marked) == expected)
    }

    @Test("a long text is cut between words, and its cut ends are marked")
    func excerpt() throws {
        let filler = String(repeating: "many words stand here ", count: 40)
        let found = try snippets("river", text(filler + "by the river " + filler))

        let snippet = try #require(found.first)
        #expect(found.count == 1 && marked(snippet) == ["river"])
        #expect(snippet.text.hasPrefix("…") && snippet.text.hasSuffix("…") && snippet.text.unicodeScalars.count <= 200)
        let whole: Set<Substring> = ["many", "words", "stand", "here", "by", "the", "river"]
        #expect(snippet.text.dropFirst().dropLast().split(separator: " ").allSatisfy(whole.contains))
    }

    @Test("each word is shown once, where it comes first, and then further places of the text, three at most")
    func choice() throws {
        let filler = " " + String(repeating: "and so on ", count: 60)
        let texts = SearchedTexts(
            personal: PersonalPart(
                title: "The lake", edited: ["river", "lake", "river", "river", "river"].joined(separator: filler), tags: ["river"]),
            machine: MachinePart())

        let found = try snippets("river lake", texts)

        #expect(found.map(\.field) == [.title, .text, .text] && found.flatMap(marked) == ["lake", "river", "lake"])
        #expect(try snippets("lake", texts).map(\.field) == [.title, .text])
    }

    @Test("what was said is found at its time, the second place at the second time")
    func times() throws {
        let filler = " " + String(repeating: "and so on ", count: 60)
        func segment(_ start: Double, _ words: String) -> SpeechSegment {
            let words = words.split(separator: " ").enumerated().map {
                TimedWord(text: String($1), start: start + Double($0), end: start + Double($0) + 1, confidence: 1)
            }
            return SpeechSegment(start: start, end: start + 9, words: words)
        }
        let texts = SearchedTexts(
            personal: PersonalPart(title: "River"), machine: MachinePart(raw: "x", clean: "By the river. \(filler) The river, again."))

        let found = try snippets("river", texts, segments: [segment(10, "by the river"), segment(100, "um the river again")])

        #expect(found.map(\.field) == [.title, .text, .text] && found.map(\.at) == [nil, 12, 102])
        #expect(try snippets("again", texts, segments: [segment(10, "by the river")]).map(\.at) == [nil])
    }

    @Test("an entry that no longer has the words has no snippets")
    func gone() throws {
        var table = FoldTable.shared
        let words = try #require(SearchWords("river lake"))
        #expect(SearchHit(words, in: text("by the river").fields, by: &table) == nil)
    }

    @Test("of a term that stands everywhere three places are shown, and no more is kept than its first")
    func everywhere() throws {
        let count = 100_000
        let whole = String(repeating: "a ", count: count)
        let query = "\"a\" a \"a a\" \"a a a\""
        let found = try snippets(query, text(whole))

        #expect(found.count == SearchSnippet.most)
        #expect(found.allSatisfy { $0.text.unicodeScalars.count <= 200 && !$0.ranges.isEmpty })
        var table = FoldTable.shared
        let words = try #require(SearchWords(query))
        let hits = SearchHit(words, in: text(whole).fields, by: &table)
        let hit = try #require(hits)
        #expect((Mirror(reflecting: hit).descendant("firsts") as? [[Any]])?.joined().count == 4)
        let mapped = MappedText(whole, by: &table)
        let term = try #require(SearchTerm("a", isWhole: true))
        #expect(mapped.first(term)?.byte == 0 && mapped.count(of: term, before: 2 * count) == count)
        #expect((Mirror(reflecting: mapped).descendant("bytes") as? [UInt8])?.count == 2 * count + 1)
        #expect((Mirror(reflecting: mapped).descendant("marks") as? [Any])?.count == 2 * count / 128 + 1)
    }

    @Test("a place that goes over a thousand spaces or accents is cut")
    func longPlaces() throws {
        for gap in [String(repeating: " ", count: 100_000), String(repeating: "\u{301}", count: 100_000) + " "] {
            let found = try snippets("\"a b\"", text("a" + gap + "b"))

            let snippet = try #require(found.first)
            #expect(found.count == 1 && snippet.text.unicodeScalars.count <= MappedText.longest + 202)
            #expect(snippet.ranges == [0..<MappedText.longest])
        }
    }

    @Test("places far behind a text's start, over characters of all lengths, are marked as they are in it")
    func farPlaces() throws {
        let filler = String(repeating: "é 河\u{301}… 🎉ﬃ ", count: 150)
        for query in ["river", "\"the river\"", "riv"] {
            let found = try snippets(query, text(filler + "the Rive\u{301}r." + filler + "the\n RIVER " + filler))

            let expected =
                switch query {
                case "river": ["Rive\u{301}r", "RIVER"]
                case "riv": ["Riv", "RIV"]
                default: ["the Rive\u{301}r", "the\n RIVER"]
                }
            #expect(found.flatMap(marked) == expected)
        }
    }
}
