import DiaryTesting
import Testing

@testable import DiaryCore

@Suite("Excerpts")
struct ExcerptTests {
    @Test("a short text is its own excerpt, in one line")
    func short() {
        #expect(Excerpt.of("") == "" && Excerpt.of(" \n ") == "")
        #expect(Excerpt.of(" We swam.\n\n\tThen\u{00A0}home. ") == "We swam. Then home.")
        let full = String(repeating: "a", count: Excerpt.length)
        #expect(Excerpt.of(full) == full && Excerpt.of(full + "\n") == full)
    }

    @Test(
        "a long text is cut behind a word, or behind a character where no word ends, and the excerpt is its own excerpt",
        arguments: [
            (String(repeating: "swim ", count: 60), String(repeating: "swim ", count: 39) + "swim…"),
            (String(repeating: "a", count: 200) + " b", String(repeating: "a", count: 198) + "…"),
            ("a " + String(repeating: "b", count: 300), "a " + String(repeating: "b", count: 196) + "…"),
            (String(repeating: "泳", count: 201), String(repeating: "泳", count: 198) + "…"),
            // A family of seven code points is not split.
            (String(repeating: "👨‍👩‍👧‍👦", count: 40), String(repeating: "👨‍👩‍👧‍👦", count: 28) + "…"),
        ])
    func long(text: String, excerpt: String) {
        #expect(Excerpt.of(text) == excerpt)
        #expect(Excerpt.of(excerpt) == excerpt && excerpt.unicodeScalars.count <= Excerpt.length)
    }

    @Test("an entry without long texts has the same excerpt, of the shown text, and the summary")
    func entries() {
        let long = String(repeating: "word ", count: 100)
        for (edited, clean, raw) in [(long, "c", "r"), (nil, long, "r"), (nil, nil, long), (nil, nil, nil)] as [(String?, String?, String?)]
        {
            var machine = MachinePart(raw: raw, clean: clean)
            machine.summary = "Words."
            let entry = Entry(facts: Stub.recording.facts, personal: PersonalPart(edited: edited), machine: machine, version: 1)

            let short = entry.withoutLongTexts

            #expect(short.text == entry.excerpt && short.excerpt == entry.excerpt && short.machine.summary == "Words.")
            #expect([short.personal.edited, short.machine.clean, short.machine.raw].count { $0 != nil } == (entry.text == nil ? 0 : 1))
        }
    }
}
