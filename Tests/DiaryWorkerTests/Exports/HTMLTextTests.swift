import Testing

@testable import DiaryWorker

@Suite struct HTMLTextTests {
    @Test(
        arguments: [
            ("", ""), ("plain", "plain"), ("a & b", "a &amp; b"), ("<i>\"it's\"</i>", "&lt;i&gt;&quot;it&#39;s&quot;&lt;/i&gt;"),
            ("&&", "&amp;&amp;"), ("one\r\ntwo\rthree\n", "one\ntwo\nthree\n"), ("\r", "\n"), ("\r\n", "\n"), ("\r\r\n\n", "\n\n\n"),
            ("tab\there", "tab\there"), ("日本<語>", "日本&lt;語&gt;"), ("e\u{301}'", "e\u{301}&#39;"), ("\u{1F600}", "\u{1F600}"),
        ])
    func escaped(text: String, shown: String) { #expect(HTMLText.escaped(text) == shown) }

    @Test("controls and noncharacters, which are errors in HTML, become U+FFFD")
    func refused() {
        let refused: [UInt32] = [0, 0x1B, 0x7F, 0x80, 0x85, 0x9F, 0xFDD0, 0xFDEF, 0xFFFE, 0xFFFF, 0x1FFFE, 0x10FFFF]
        let allowed: [UInt32] = [0x09, 0x0A, 0x20, 0x7E, 0xA0, 0xE9, 0xFDCF, 0xFDF0, 0xFFFD, 0x1FFFD, 0x20000]
        for (values, isAllowed) in [(refused, false), (allowed, true)] {
            for scalar in values.compactMap(Unicode.Scalar.init) {
                let shown: Unicode.Scalar = isAllowed ? scalar : "\u{FFFD}"
                #expect(HTMLText.escaped("a\(Character(scalar))b").unicodeScalars.elementsEqual(["a", shown, "b"]), "\(scalar.value)")
            }
        }
    }
}
