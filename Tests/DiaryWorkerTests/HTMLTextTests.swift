import Testing

@testable import DiaryWorker

@Suite struct HTMLTextTests {
    @Test(
        arguments: [
            ("", ""), ("plain", "plain"), ("a & b", "a &amp; b"), ("<i>\"it's\"</i>", "&lt;i&gt;&quot;it&#39;s&quot;&lt;/i&gt;"),
            ("&&", "&amp;&amp;"), ("one\r\ntwo\rthree\n", "one\ntwo\nthree\n"), ("\r", "\n"), ("\r\n", "\n"), ("\r\r\n\n", "\n\n\n"),
            ("tab\there", "tab\there"), ("\u{0}a\u{1B}\u{7F}", "\u{FFFD}a\u{FFFD}\u{FFFD}"), ("\u{85}\u{A0}é", "\u{FFFD}\u{A0}é"),
            ("\u{FDD0}\u{FDEF}\u{FDF0}\u{FFFE}\u{FFFF}\u{FFFD}", "\u{FFFD}\u{FFFD}\u{FDF0}\u{FFFD}\u{FFFD}\u{FFFD}"),
            ("\u{1FFFE}\u{10FFFF}\u{1F600}", "\u{FFFD}\u{FFFD}\u{1F600}"), ("日本<語>", "日本&lt;語&gt;"), ("e\u{301}'", "e\u{301}&#39;"),
        ])
    func escaped(text: String, shown: String) { #expect(HTMLText.escaped(text).unicodeScalars.elementsEqual(shown.unicodeScalars)) }
}
