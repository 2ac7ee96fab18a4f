import Testing

@testable import DiaryWorker

@Suite("The form of a cleaned text") struct WrittenFormTests {
    private static func isNew(_ clean: String, beside raw: String) -> Bool {
        WrittenForm.isNew(in: WrittenForm(clean), beside: WrittenForm(raw))
    }

    private static let raw = "we went to the lake and swam and it was cold but we had a good day all in all"
    private static let clean = "We went to the lake and swam, and it was cold, but we had a good day, all in all."

    @Test("capitals, small letters alone, a line or a mark for each word are another form")
    func other() {
        #expect(Self.isNew(Self.clean.uppercased(), beside: Self.raw))
        #expect(Self.isNew(Self.clean.replacing(" ", with: "\n"), beside: Self.raw))
        #expect(Self.isNew(Self.clean.replacing(" ", with: "! "), beside: Self.raw))
        #expect(Self.isNew(Self.raw, beside: "We went to the Lake with Anna and swam. It was cold. We had a good day."))
    }

    @Test("sentences, paragraphs, short exclamations and what the raw text has itself are not")
    func same() {
        #expect(!Self.isNew(Self.clean, beside: Self.raw))
        #expect(!Self.isNew("We went to the lake and swam.\n\nIt was cold.\n\nBut we had a good day, all in all…", beside: Self.raw))
        #expect(!Self.isNew("Yes. No. Yes! NASA.", beside: "yes no yes nasa"))
        #expect(!Self.isNew("I said NO and STOP, and he went.", beside: "i said no and stop and he went"))
        #expect(!Self.isNew(Self.raw.uppercased() + ".", beside: Self.raw.uppercased()))
        #expect(!Self.isNew("今天我去湖边。水很冷！然后回家。", beside: "今天我去湖边水很冷然后回家"))
        #expect(!Self.isNew("", beside: Self.raw))
    }
}
