import Testing
import WireFormats

@Suite("The JSON parser")
struct JSONParserTests {
    @Test(
        "what is not JSON is refused",
        arguments: [
            "", " ", "{", "}", "[", "]", "{]", "nul", "tru", "NaN", "Infinity", "undefined",
            "'a'", "{a:1}", "{'a':1}", "{\"a\"}", "{\"a\":}",
            "{\"a\":1,}", "{,}", "{\"a\":1 \"b\":2}", "[1,]", "[1 2]", "{\"a\":1}x", "{}{}", "{\"a\":01}", "{\"a\":+1}", "{\"a\":1.}",
            "{\"a\":.5}", "{\"a\":1e}", "{\"a\":-}", "{\"a\":0x10}", "{\"a\":\"\n\"}", "{\"a\":\"\t\"}", "{\"a\":\"\\x\"}",
            "{\"a\":\"\\u12\"}", "{\"a\":\"\\ud800\"}", "{\"a\":\"\\udc00\"}", "{\"a\":\"\\ud800\\u0041\"}", "{\"a\":\"unended",
            "{\"a\":\"\\", "{\"a\":1,\"a\":2}", "{\"a\":1,\"\\u0061\":2}", "{\"a\":\"\0\"}", "\u{FEFF}{}", "// c\n{}", "{\"a\":/**/1}",
            "{\"a\":\(String(repeating: "9", count: 65))}", String(repeating: "[", count: 33) + String(repeating: "]", count: 33),
            String(repeating: "{\"a\":", count: 40) + "1" + String(repeating: "}", count: 40), String(repeating: "[", count: 100_000),
        ])
    func refused(text: String) {
        #expect((try? JSONParser.parse(Array(text.utf8))) == nil)
    }

    @Test("all of RFC 8259 is read, down to 32 levels")
    func read() {
        for text in ["{}", "[]", "0", "-0", "-1.5e-3", "\"\"", "\"\\/\\b\\f\\u00e9\"", " [ 1 , true , null ] ", "{\"\":{\"a\":[[]]}}"] {
            #expect((try? JSONParser.parse(Array(text.utf8))) != nil, "\(text)")
        }
        let deep = String(repeating: "[", count: 32) + String(repeating: "]", count: 32)
        #expect((try? JSONParser.parse(Array(deep.utf8))) != nil)
    }

    @Test(
        "canonically equivalent names are one name twice, unless the rules tell them apart",
        arguments: [
            "{\"caf\u{E9}\":1,\"cafe\u{301}\":2}", "{\"cafe\u{301}\":1,\"x\":0,\"caf\u{E9}\":2}", "{\"K\":1,\"\u{212A}\":2}",
            "{\"\u{212A}\":1,\"K\":2}",
        ])
    func equivalentNames(text: String) throws {
        let refusal = #expect(throws: JSONParsingError.self) { try JSONParser.parse(Array(text.utf8)) }
        #expect(refusal?.reason == "a member name comes twice")
        #expect(JSONParser.object(Array(text.utf8), JSONRules(allowsEquivalentNames: true)) != nil)
    }

    @Test("different names beyond ASCII are different members")
    func otherNames() throws {
        let object = try #require(try JSONParser.parse(Array("{\"a\":1,\"é\":2,\"ê\":3,\"b\":4}".utf8)).object)

        #expect(object.count == 4 && object["é"] == .number("2") && object["b"] == .number("4"))
        #expect(object["e\u{301}"] == nil)
    }

    @Test("the rules bound depth and members, and refuse escapes in names alone")
    func rules() {
        func isRead(_ text: String, _ rules: JSONRules) -> Bool { (try? JSONParser.parse(Array(text.utf8), rules)) != nil }

        #expect(isRead("[[1]]", JSONRules(maximumDepth: 2)) && !isRead("[[[1]]]", JSONRules(maximumDepth: 2)))
        #expect(isRead("{\"a\":{\"a\":1}}", JSONRules(maximumDepth: 2)) && !isRead("{\"a\":[{}]}", JSONRules(maximumDepth: 2)))
        #expect(isRead("{\"a\":1,\"b\":2}", JSONRules(maximumMembers: 2)))
        #expect(!isRead("{\"a\":1,\"b\":2,\"c\":3}", JSONRules(maximumMembers: 2)))
        #expect(isRead("[1,2,3]", JSONRules(maximumMembers: 2)))
        #expect(isRead(#"{"a":"\u0061"}"#, JSONRules(allowsEscapedNames: false)))
        #expect(!isRead(#"{"\u0061":1}"#, JSONRules(allowsEscapedNames: false)))
    }

    @Test("a refusal names the byte")
    func offset() throws {
        let refusal = #expect(throws: JSONParsingError.self) { try JSONParser.parse(Array("{\"a\":1,\"a\":2}".utf8)) }
        #expect(refusal?.reason == "a member name comes twice" && refusal?.offset == 12)
    }
}
