import Testing

@testable import DiaryIdentity

@Suite("The list of common words")
struct CommonWordsTests {
    @Test("B12: has each of its words once, and has lost none")
    func words() {
        let words = CommonWords.list.split(whereSeparator: \.isWhitespace)

        #expect(words.count == 620)
        #expect(CommonWords.all.count == words.count)
    }
}
