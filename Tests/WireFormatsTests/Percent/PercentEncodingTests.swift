import Testing
import WireFormats

@Suite("Percent coding")
struct PercentEncodingTests {
    @Test("unreserved characters stay, everything else becomes upper-case hex")
    func encoding() {
        #expect(PercentEncoding.encode("aZ09-._~ +/é".utf8) == "aZ09-._~%20%2B%2F%C3%A9")
        #expect(PercentEncoding.encode("a/b c".utf8, keepingSlash: true) == "a/b%20c")
    }

    @Test("every byte survives")
    func roundTrip() {
        let bytes = Array(UInt8.min ... .max)
        #expect(PercentEncoding.decode(PercentEncoding.encode(bytes)) == bytes)
    }

    @Test(
        "a broken escape, bytes that are not UTF-8 and U+0000 are no text",
        arguments: ["%", "%4", "%zz", "a%4", "%C3", "%FF", "%00", "\0", "%ED%A0%80"])
    func refused(text: String) {
        #expect(PercentEncoding.decodeText(text) == nil)
    }

    @Test("a plus sign is a space only in forms and queries")
    func plus() {
        #expect(PercentEncoding.decodeText("a+b%2B%20") == "a+b+ ")
        #expect(PercentEncoding.decodeText("a+b%2B%20", plusIsSpace: true) == "a b+ ")
        #expect(PercentEncoding.decode("a+%2b") == Array("a++".utf8))
    }

    @Test("equivalent spellings have one canonical form; a broken escape is taken literally")
    func canonical() {
        #expect(PercentEncoding.canonical("%7e/%41") == "~%2FA")
        #expect(PercentEncoding.canonical("%7e/%41", keepingSlash: true) == "~/A")
        #expect(PercentEncoding.canonical("100%") == "100%25")
    }

    @Test("a form's fields are escaped as browsers do")
    func forms() {
        let bytes = FormEncoding.bytes([("a b", "c+d&e=f"), ("*-._~", "é")])
        #expect(String(decoding: bytes, as: UTF8.self) == "a+b=c%2Bd%26e%3Df&*-._%7E=%C3%A9")
    }
}
