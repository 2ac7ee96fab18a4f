import Testing

@testable import DiaryCore

@Suite("Words as a search compares them") struct LetterFoldTests {
    private func words(_ text: String) -> [String] {
        var folded = FoldedText()
        folded.read(text)
        return String(decoding: folded.bytes, as: UTF8.self).split(separator: " ").map(String.init)
    }

    @Test(
        "case, accents, points and width do not matter",
        arguments: [
            ("STRASSE", "Straße"), ("ẞ", "ss"), ("ёлка", "Елка"), ("Ünïcode", "unicode"), ("caf\u{E9}", "cafe\u{301}"), ("ΟΔΟΣ", "οδός"),
            ("İstanbul", "istanbul"), ("ı", "I"), ("ＡＢＣ１", "abc1"), ("ｶﾞｷﾞ", "ガギ"), ("ガ", "カ\u{3099}"), ("שָׁלוֹם", "שלום"), ("مُحَمَّد", "محمد"),
            ("أحمد", "احمد"), ("كتـــاب", "كتاب"), ("Łódź", "lodz"), ("Ærøskøbing", "aeroskobing"), ("ﬁn", "fin"), ("co\u{AD}op", "coop"),
            ("한국", "\u{1112}\u{1161}\u{11AB}\u{1100}\u{116E}\u{11A8}"), ("❤\u{FE0F}", "❤"), ("Å", "a\u{30A}"),
        ])
    func folds(one: String, other: String) { #expect(!words(one).isEmpty && words(one) == words(other)) }

    @Test(
        "vowels of scripts that write them as marks, and sound marks, are kept",
        arguments: [("मेल", "मल"), ("が", "か"), ("ぱ", "は"), ("ที่", "ที")])
    func keeps(one: String, other: String) { #expect(words(one) != words(other)) }

    @Test(
        "letters side by side are a word; in scripts without spaces, and among symbols, each is one",
        arguments: [
            ("We swam, before-breakfast!", ["we", "swam", "before", "breakfast"]), ("don't e-mail", ["don", "t", "e", "mail"]),
            ("我喜歡 河流。", ["我", "喜", "歡", "河", "流"]), ("iPhone15を買う", ["iphone15", "を", "買", "う"]), ("🎉🎉 20°C", ["🎉", "🎉", "20", "°", "c"]),
            (" \n\t…", []), ("", []), ("a", ["a"]), ("x_y", ["x", "y"]),
        ] as [(String, [String])])
    func splits(text: String, expected: [String]) { #expect(words(text) == expected) }

    @Test("a text is folded to the same whatever was folded before it")
    func again() {
        var folded = FoldedText()
        for text in [String(repeating: "長い文 ", count: 500), "short", "", "Ёлка и 🎉", "short"] {
            folded.read(text)
            var fresh = FoldedText()
            fresh.read(text)
            #expect(folded.bytes == fresh.bytes)
        }
    }

    @Test("no character becomes more than four times as long, and each has the same form alone and mapped")
    func everyCharacter() throws {
        var table = FoldTable.shared
        var folded = FoldedText()
        for value in Array(UInt32(0)..<0x3100) + Array(stride(from: UInt32(0x3100), to: 0x110000, by: 1_009)) {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let text = String(scalar)
            #expect(table.known(scalar).count <= text.utf8.count * 4, "\(value)")
            folded.read(text)
            let words = folded.bytes.split(separator: FoldedText.space)
            if let term = SearchTerm(text, isWhole: true) {
                let range = MappedText(text, by: &table).first(term)?.range
                #expect(range == text.startIndex..<text.endIndex, "\(value)")
            } else {
                #expect(words.isEmpty, "\(value)")
            }
        }
    }

    @Test("a text of many megabytes is measured before it is folded")
    func long() throws {
        let piece = "é 河… 🎉ﬃ Strauß "
        let count = 20_000
        var folded = FoldedText()
        folded.read(piece)
        let once = folded.bytes.dropFirst()
        let long = String(repeating: piece, count: count)

        folded.read(long)

        #expect(folded.bytes == [FoldedText.space] + repeatElement(once, count: count).joined())
        let room = try #require(Mirror(reflecting: folded).descendant("buffer") as? [UInt8]).count
        #expect(room < 2 * long.utf8.count)
    }
}
