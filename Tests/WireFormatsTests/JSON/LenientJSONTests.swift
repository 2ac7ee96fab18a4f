import Testing
import WireFormats

@Suite("The lenient JSON reader", .timeLimit(.minutes(1)))
struct LenientJSONTests {
    private static func read(_ text: String) -> JSONValue? { LenientJSON.value(Array(text.utf8)) }

    @Test(
        "a flaw costs the value it is in: read as the strict parser reads the document beside it",
        arguments: [
            // Numbers that are none, and words of other languages.
            (#"{"a":NaN,"b":-Infinity,"c":Infinity,"d":1}"#, #"{"a":null,"b":null,"c":null,"d":1}"#),
            ("[+Infinity,inf,-nan,1e999,0x10,1_000,--1,2026-11-29,1]", "[null,null,null,null,null,null,null,null,1]"),
            ("[\(String(repeating: "9", count: 65)),1]", "[null,1]"),
            ("[True,False,None,TRUE,undefined,nil,x]", "[true,false,null,true,null,null,null]"),
            // Half pairs, unknown escapes, raw controls.
            (#"["\ud83d x","\ude00",1]"#, "[\"\u{FFFD} x\",\"\u{FFFD}\",1]"), (#"["\ud83d\ud83d\ude00"]"#, "[\"\u{FFFD}😀\"]"),
            (#"["\ud83d\u0041","\u12",1]"#, "[\"\u{FFFD}A\",\"\u{FFFD}12\",1]"),
            (#"["\x41 \' \q"]"#, #"["x41 ' q"]"#), ("[\"a\nb\tc\u{1}\u{0}d\"]", #"["a\nb\tc\u0001\u0000d"]"#),
            // Commas and quotes.
            (#"{,"a":1 "b":2,,"c":"x"\#n"d":3,}"#, #"{"a":1,"b":2,"c":"x","d":3}"#), ("[,1 2,,3,]", "[1,2,3]"),
            (#"[{"a":1}{"b":2} [3]]"#, #"[{"a":1},{"b":2},[3]]"#), ("{a:1, b_2 : True}", #"{"a":1,"b_2":true}"#),
            ("{'a':'It's here','b':['c'],\"d\":'\"'}", #"{"a":"It's here","b":["c"],"d":"\""}"#),
            (#"{"a":"She said "hello there", and left.","b":1}"#, #"{"a":"She said \"hello there\", and left.","b":1}"#),
            (#"["the "old" one","b"]"#, #"["the \"old\" one","b"]"#),
            // Of two members the last one that is not null.
            (#"{"a":1,"a":2,"b":1,"b":null,"c":null,"c":1}"#, #"{"a":2,"b":1,"c":1}"#),
            // Cut, or closed by another sign.
            (#"{"a":[1,{"b":"We sw"#, #"{"a":[1,{"b":"We sw"}]}"#), (#"{"a":1,"b"#, #"{"a":1}"#), (#"{"a":1,"b":"#, #"{"a":1}"#),
            (#"{"a":"x\"#, #"{"a":"x"}"#), (#"{"a":tru"#, #"{"a":null}"#), ("[1,2", "[1,2]"), ("{", "{}"), (#""abc"#, #""abc""#),
            (#"{"a":[1},"b":2}"#, #"{"a":[1],"b":2}"#),
            // What surrounds the document.
            ("\u{FEFF} {\"a\":1}", #"{"a":1}"#), (#"{"a":1}{"b":2}"#, #"{"a":1}"#), (#"{"a":1} and so on"#, #"{"a":1}"#),
            ("<html>", "null"),
        ] as [(String, String)])
    func flaws(flawed: String, whole: String) throws {
        #expect(try Self.read(flawed) == JSONParser.parse(Array(whole.utf8)))
    }

    @Test("nothing is no value, and a number keeps its spelling")
    func nothing() {
        for text in ["", " \r\n\t", "\u{FEFF}", "\u{FEFF} "] { #expect(Self.read(text) == nil) }
        #expect(Self.read("[01,+1,-0.50E2]") == .array([.number("01"), .number("+1"), .number("-0.50E2")]))
    }

    @Test("bytes that are no UTF-8 are Windows-1252, those beside them stay")
    func latin() {
        var bytes = Array(#"{"a":"Z"#.utf8)
        bytes.append(0xFC)
        bytes += "rich, Z\u{FC}rich ".utf8
        bytes += [0x80, 0x93, 0x94, 0x81, 0xE4] as [UInt8]
        bytes += #"","b":1}"#.utf8
        let read: JSONObject = ["a": .string("Z\u{FC}rich, Z\u{FC}rich €“”\u{FFFD}\u{E4}"), "b": .number("1")]
        #expect(LenientJSON.value(bytes) == .object(read))
        #expect(LenientJSON.value([0xEF, 0xBB, 0xBF, 0x22, 0xE4]) == .string("\u{E4}"))
    }

    @Test("objects are found among other words, in order, with whether they are whole")
    func objects() {
        let text = "So {x} <think>{\"draft\":1}</think>\nHere:\n```json\n{\"a\": {\"b\": 2}}\n```\n{} {\"cut\": \"of"
        let found = LenientJSON.objects(in: text)
        let objects: [JSONObject] = [["draft": .number("1")], ["a": .object(["b": .number("2")])], ["cut": .string("of")]]
        #expect(found.map { $0.object } == objects)
        #expect(found.map { $0.isWhole } == [true, true, false])
        // Behind a brace that never ends.
        let last = LenientJSON.objects(in: #"{"open": [ and {"a":1}"#).last
        #expect(last?.object["a"] == .number("1") && last?.isWhole == true)
        for text in ["", "{", "{}", "none }"] { #expect(LenientJSON.objects(in: text).isEmpty) }
    }

    @Test(
        "100,000 brackets inside one another do not overflow the stack and take no long time",
        arguments: ["[", "{", #"{"a":"#, #"[{"a":["#, #"{{"a":["#, "[1,"])
    func brackets(sign: String) {
        let text = String(repeating: sign, count: 100_000)
        let began = ContinuousClock.now
        #expect(Self.read(text) != nil)
        _ = LenientJSON.objects(in: text)
        #expect(began.duration(to: .now) < .seconds(30))
    }

    @Test(
        "no sign makes the reader read all behind it again and again",
        arguments: ["\"", "'", "\\", #"","#, #"{""#, #"{"a":""#, #""\"#, ",", ":", #"\ud800"#, "\" ", "\"\n", "\", x "])
    func signs(sign: String) {
        let began = ContinuousClock.now
        for start in ["", "[\"", #"{"a":""#] {
            let text = start + String(repeating: sign, count: 5_000)
            #expect(Self.read(text) != nil)
            _ = LenientJSON.objects(in: text)
        }
        #expect(began.duration(to: .now) < .seconds(30))
    }

    @Test("what is deeper than 64 levels is null, what is not is read", arguments: [1, 2, 63, 64, 65, 66, 1_000])
    func depth(levels: Int) {
        var value = Self.read(String(repeating: "[", count: levels) + "1" + String(repeating: "]", count: levels))
        for _ in 0..<min(levels, 64) { value = value?.array?.first }
        #expect(value == (levels <= 64 ? JSONValue.number("1") : JSONValue.null))
    }

    @Test("2,000 random documents that are right are read as the strict parser reads them, and found among words")
    func valid() throws {
        var documents = Documents(seed: 17)
        var wrong: [String] = []
        for _ in 0..<2_000 {
            let text = documents.space() + documents.value(depth: 4) + documents.space()
            let strict = try JSONParser.parse(Array(text.utf8))
            if Self.read(text) != strict { wrong.append(text) }
            guard let object = strict.object, !object.isEmpty else { continue }
            let found = LenientJSON.objects(in: "Here: \(text).")
            if found.map({ $0.object }) != [object] || found.map({ $0.isWhole }) != [true] { wrong.append("in words: \(text)") }
        }
        #expect(wrong.isEmpty, "\(wrong.count), first: \(wrong.first ?? "")")
    }

    @Test("1,000 documents with random bytes changed, left out, doubled or cut are read to an end")
    func mutated() {
        var documents = Documents(seed: 18)
        for _ in 0..<1_000 {
            var bytes = Array("{\"text\":\(documents.value(depth: 3)),\"more\":\(documents.value(depth: 3))}".utf8)
            for _ in 0..<Int.random(in: 1...6, using: &documents.random) { documents.mutate(&bytes) }
            #expect(LenientJSON.value(bytes) != nil || bytes.allSatisfy { $0 <= 0x20 })
            for found in LenientJSON.objects(in: String(decoding: bytes, as: UTF8.self)) { #expect(!found.object.isEmpty) }
        }
    }
}

/// Documents by RFC 8259, the same in each run.
private struct Documents {
    var random: Numbers

    init(seed: UInt64) { random = Numbers(state: seed) }

    private static let scalars = Array("aZ0 é世😀e\u{301}'{}[],:\"\\/\n\t\u{1}\u{7F}\u{2028}-.".unicodeScalars)
    private static let short: [Unicode.Scalar: String] = ["\n": "\\n", "\t": "\\t", "\"": "\\\"", "\\": "\\\\", "/": "\\/"]
    private static let numbers = ["0", "-0", "7", "-12.5", "1e5", "2.50E-3", "1E+20", "123456789012345678"]

    mutating func value(depth: Int) -> String {
        switch Int.random(in: 0..<(depth > 0 ? 10 : 5), using: &random) {
        case 0: return "null"
        case 1: return Bool.random(using: &random) ? "true" : "false"
        case 2: return Self.numbers.randomElement(using: &random) ?? "0"
        case 3, 4: return "\"\(text())\""
        case 5, 6: return "[\(list { $0.value(depth: depth - 1) })]"
        default:
            var number = 0
            return "{"
                + list { documents in
                    number += 1
                    let name = "\"\(number):\(documents.text())\""
                    return name + documents.space() + ":" + documents.space() + documents.value(depth: depth - 1)
                } + "}"
        }
    }

    private mutating func list(_ element: (inout Self) -> String) -> String {
        var elements: [String] = []
        for _ in 0..<Int.random(in: 0...4, using: &random) {
            let before = space()
            let made = element(&self)
            elements.append(before + made + space())
        }
        return elements.isEmpty ? space() : elements.joined(separator: ",")
    }

    mutating func space() -> String { ["", "", " ", "\n", "\r\n\t"].randomElement(using: &random) ?? "" }

    private mutating func text() -> String {
        var text = ""
        for _ in 0..<Int.random(in: 0...12, using: &random) { text += escaped(Self.scalars.randomElement(using: &random) ?? "a") }
        return text
    }

    private mutating func escaped(_ scalar: Unicode.Scalar) -> String {
        if let short = Self.short[scalar], Bool.random(using: &random) { return short }
        let isNeeded = scalar.value < 0x20 || scalar == "\"" || scalar == "\\"
        guard isNeeded || Int.random(in: 0..<4, using: &random) == 0 else { return String(Character(scalar)) }
        return String(Character(scalar)).utf16.map { unit in
            let digits = String(unit, radix: 16)
            return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }.joined()
    }

    mutating func mutate(_ bytes: inout [UInt8]) {
        guard !bytes.isEmpty else { return }
        let at = Int.random(in: 0..<bytes.count, using: &random)
        let end = min(bytes.count, at + Int.random(in: 1...20, using: &random))
        switch Int.random(in: 0..<6, using: &random) {
        case 0: bytes[at] = UInt8.random(in: .min ... .max, using: &random)
        case 1: bytes.insert(Array("{}[],:\"'\\nuN-".utf8).randomElement(using: &random) ?? 0, at: at)
        case 2: bytes.remove(at: at)
        case 3: bytes.removeSubrange(at..<end)
        case 4: bytes.insert(contentsOf: Array(bytes[at..<end]), at: at)
        default: bytes.removeSubrange(max(at, bytes.count - 20)...)
        }
    }
}

/// SplitMix64.
private struct Numbers: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
