import Testing
import WireFormats

@Suite("JSON of tokens and key sets")
struct JOSERulesTests {
    @Test(
        "a document with two readings, or none, is refused",
        arguments: [
            "", " ", "[]", "1", "null", "{", "}", "{}{}", "{} x", #"{"a"}"#, #"{"a":}"#, #"{"a":1,}"#, #"{,"a":1}"#, #"{"a":1 "b":2}"#,
            #"{a:1}"#,
            #"{'a':1}"#, #"{"a":01}"#, #"{"a":-}"#, #"{"a":1.}"#, #"{"a":.5}"#, #"{"a":+1}"#, #"{"a":1e}"#, #"{"a":NaN}"#, #"{"a":tru}"#,
            #"{"a":1,"a":1}"#, #"{"b":{"a":1,"a":2}}"#, #"{"b":[{"a":1,"a":2}]}"#, #"{"a":1,"\u0061":2}"#, #"{"\u0061":2}"#,
            #"{"a":"\ud800"}"#,
            #"{"a":"\udc00\ud800"}"#, #"{"a":"\u12"}"#, #"{"a":"\x"}"#, #"{"a":"unended}"#, "{\"a\":\"line\nbreak\"}", "{\"a\":\"\0\"}",
            "\u{FEFF}{}",
            #"{"a":[1,2}"#, #"{"a":[1,]}"#, #"{"a":[[[[[[[1]]]]]]]}"#, "{\"a\":1}\0", "{/**/}",
        ])
    func refused(text: String) {
        #expect(JSONParser.object(Array(text.utf8), .jose) == nil)
    }

    @Test(
        "bad UTF-8 in a name or a value is refused",
        arguments: [[0xFF], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80]] as [[UInt8]])
    func badUTF8(bytes: [UInt8]) {
        #expect(JSONParser.object(Array(#"{"a":""#.utf8) + bytes + Array(#""}"#.utf8), .jose) == nil)
        #expect(JSONParser.object(Array(#"{""#.utf8) + bytes + Array(#"":1}"#.utf8), .jose) == nil)
    }

    @Test("values come out as they are")
    func values() throws {
        let text =
            #" { "s" : "\"\\\/\b\f\n\r\t\u00e9\ud83d\ude00é" ,"i":-9223372036854775808,"big":9223372036854775808, "f":1.5e+3,"z":-0, "t":true,"n":null,"l":[ "a" , "b"],"o":{}} "#

        let object = try #require(JSONParser.object(Array(text.utf8), .jose))

        #expect(object["s"]?.string == "\"\\/\u{8}\u{C}\n\r\té😀é")
        #expect(object["i"]?.integer == .min)
        #expect(object["big"]?.integer == nil && object["f"]?.integer == nil)
        #expect(object["z"]?.integer == 0)
        #expect(object["l"]?.strings == ["a", "b"])
        #expect(object["o"]?.object?.isEmpty == true)
        #expect(object["absent"] == nil)
        #expect(object["n"] != nil && object["n"]?.string == nil)
    }

    @Test("names are compared by bytes: a canonically equivalent name is another name")
    func canonicalEquivalence() throws {
        let object = try #require(JSONParser.object(Array("{\"caf\u{E9}\":1,\"cafe\u{301}\":2}".utf8), .jose))

        #expect(object["caf\u{E9}"]?.integer == 1)
        #expect(object["cafe\u{301}"]?.integer == 2)
    }

    @Test("an object of 64 members is read, one of 65 is not")
    func members() {
        func document(_ count: Int) -> [UInt8] { Array("{\((0..<count).map { "\"m\($0)\":0" }.joined(separator: ","))}".utf8) }

        #expect(JSONParser.object(document(64), .jose)?.count == 64)
        #expect(JSONParser.object(document(65), .jose) == nil)
    }

    @Test("six levels are read, seven are not")
    func depth() {
        #expect(JSONParser.object(Array(#"{"a":[[[[[1]]]]]}"#.utf8), .jose) != nil)
        #expect(JSONParser.object(Array(#"{"a":[[[[[[1]]]]]]}"#.utf8), .jose) == nil)
    }

    @Test("every prefix and every changed byte of a key set is read or refused without a trap")
    func mutations() {
        let text = Array(#"{"keys":[{"kty":"EC","x":"a\u00e9","n":-12.5e3,"b":[true,false,null]}]}"#.utf8)

        for end in text.indices { #expect(JSONParser.object(Array(text[..<end]), .jose) == nil) }
        for place in text.indices {
            for byte in UInt8.min...UInt8.max {
                var changed = text
                changed[place] = byte
                _ = JSONParser.object(changed, .jose)
            }
        }
    }
}
