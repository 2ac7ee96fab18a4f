import FoundationEssentials
import Testing
import WireFormats

@Suite("The JSON writer")
struct JSONWriterTests {
    @Test("texts of every length, with an escape at every place, come back from a document that had to grow")
    func growing() throws {
        for length in 0..<70 {
            for escape in ["", "\"", "\u{1F}", "\u{2028}", "ä"] {
                let text = String(repeating: "x", count: length) + escape + String(repeating: "y", count: 70 - length)
                let written = JSONWriter.object(capacity: 1) { w in
                    let place = w.member("text", text)
                    w.member("again", again: place)
                    w.array("many", Array(0..<20)) { w, number in w.element("\(number)\(text)") }
                }
                guard case .object(let members) = try JSONParser.parse(written) else { throw ParsingFailed() }
                #expect(members["text"] == .string(text) && members["again"] == .string(text))
                #expect(members["many"] == .array((0..<20).map { .string("\($0)\(text)") }))
            }
        }
    }

    private struct ParsingFailed: Error {}

    @Test("the writer's output is JSON with the same values")
    func writer() throws {
        let hard = "q\"b\\s/\u{0}\u{1}\u{1F}\n\r\t\u{7F}\u{2028}\u{2029}ä€😀\u{FFFF}"
        let written = JSONWriter.object { w in
            w.member("text", hard)
            w.member(JSONName(hard), 1)
            w.member("none", nil as String?)
            w.memberIfPresent("left_out", nil as Int?)
            w.member("wild", Double.nan)
            w.member("number", 0.1)
            w.member("big", Int64.max)
            w.member("empty") { _ in }
            w.member("list", ["a", "b"])
            w.array("objects", [1, 2]) { w, n in w.object { $0.member("n", n) } }
            w.array("nothing", [Int]()) { w, n in w.element(n) }
            w.member("at", Date(timeIntervalSince1970: 0))
            w.member("yes", true)
        }
        let bytes = written
        #expect(!bytes.contains { $0 < 0x20 })
        #expect(!String(decoding: bytes, as: UTF8.self).contains("\u{2028}"))

        let value = try JSONParser.parse(bytes)
        #expect(
            value
                == .object([
                    "text": .string(hard), hard: .number("1"), "none": .null, "wild": .null, "number": .number("0.1"),
                    "big": .number("9223372036854775807"),
                    "empty": .object([:]), "list": .array([.string("a"), .string("b")]),
                    "objects": .array([.object(["n": .number("1")]), .object(["n": .number("2")])]), "nothing": .array([]),
                    "at": .string("1970-01-01T00:00:00.000Z"), "yes": .bool(true),
                ]))
    }

    @Test("a quoted text reads back", arguments: ["", "a\"b\\c", "\0\n\u{1F}", "é😀", "</script>"])
    func quoting(text: String) {
        #expect(JSONParser.object(JSONWriter.object { $0.member("a", text) }, .jose)?["a"]?.string == text)
    }
}
